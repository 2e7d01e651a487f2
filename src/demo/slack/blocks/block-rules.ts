/** The blocks, by type: one line or two for each. */
import type { Check, Shape } from './check.ts'
import { byType, flag, list, number, object, problem, string, url, word } from './check.ts'
import { button, contextActions, elementsOf } from './element-rules.ts'
import { limits } from './limits.ts'
import { richText } from './rich-text-rules.ts'
import { chart, dataTable, table } from './table-rules.ts'
import { anyText, id, imageShape, mrkdwn, plainText } from './text-rules.ts'

function block(type: string, shape: Shape): Check {
  return object({
    required: { type: word(type), ...shape.required },
    optional: { block_id: id, ...shape.optional },
    ...(shape.also === undefined ? {} : { also: shape.also }),
  })
}

const imageElement = imageShape({})
const context = byType(() => ({ image: imageElement, plain_text: plainText(), mrkdwn: mrkdwn() }))
const accessory = byType(() => ({ image: imageElement, ...elementsOf.accessory }))

const section = block('section', {
  optional: { text: anyText(), fields: list(anyText(limits.fieldText), { min: 1, max: limits.fields }), accessory, expand: flag },
  also: (value, pointer) =>
    value.text === undefined && value.fields === undefined ? [problem('must provide at least one of text or fields', pointer)] : [],
})

const card = block('card', {
  optional: {
    hero_image: imageElement,
    icon: imageElement,
    title: mrkdwn(limits.card.title),
    subtitle: mrkdwn(limits.card.subtitle),
    body: mrkdwn(limits.card.body),
    actions: list(button, { min: 1, max: limits.card.actions }),
  },
  also: (value, pointer) =>
    ['hero_image', 'title', 'actions', 'body'].some((name) => value[name] !== undefined)
      ? []
      : [problem('must provide at least one of hero_image, title, actions or body', pointer)],
})

const task = block('task_card', {
  required: { task_id: string({ min: 1 }), title: string({ min: 1 }), status: word('pending', 'in_progress', 'complete', 'error') },
  optional: {
    details: richText,
    output: richText,
    sources: list(object({ required: { type: word('url'), url: url(limits.button.url), text: string({ min: 1 }) } })),
  },
})

const inContainer = ['actions', 'context', 'divider', 'file', 'header', 'image', 'input', 'rich_text', 'section', 'table', 'video']

const container = block('container', {
  required: {
    child_blocks: list(
      byType(() => Object.fromEntries(inContainer.map((type) => [type, blockTypes[type]!]))),
      { min: 1, max: limits.container.children },
    ),
  },
  optional: {
    title: plainText(limits.container.title),
    rich_text_title: richText,
    subtitle: anyText(limits.container.subtitle),
    width: word('narrow', 'standard', 'wide', 'full'),
    icon: imageElement,
    is_collapsible: flag,
    default_collapsed: flag,
    has_header_divider: flag,
  },
  also: (value, pointer) =>
    value.title === undefined && value.rich_text_title === undefined
      ? [problem('must provide one of title or rich_text_title', pointer)]
      : [],
})

/** Every block that a message may hold, by its type. */
export const blockTypes: Readonly<Record<string, Check>> = {
  actions: block('actions', {
    required: {
      elements: list(
        byType(() => elementsOf.actions),
        { min: 1, max: limits.actions },
      ),
    },
  }),
  alert: block('alert', { required: { text: anyText() }, optional: { level: word('default', 'info', 'warning', 'error', 'success') } }),
  card,
  carousel: block('carousel', {
    required: {
      elements: list(
        byType(() => ({ card })),
        { min: 1, max: limits.carousel },
      ),
    },
  }),
  container,
  context: block('context', { required: { elements: list(context, { min: 1, max: limits.contextElements }) } }),
  context_actions: block('context_actions', {
    required: {
      elements: list(
        byType(() => contextActions),
        { min: 1, max: limits.contextActions },
      ),
    },
  }),
  data_table: dataTable,
  data_visualization: chart,
  divider: block('divider', {}),
  file: block('file', { required: { source: word('remote'), external_id: string({ min: 1 }) } }),
  header: block('header', { required: { text: plainText(limits.header) }, optional: { level: number } }),
  image: imageShape({ block_id: id, title: plainText(limits.image.title) }),
  input: block('input', {
    required: { label: plainText(limits.label), element: byType(() => elementsOf.input) },
    optional: { hint: plainText(limits.hint), optional: flag, dispatch_action: flag },
  }),
  markdown: block('markdown', { required: { text: string({ min: 1, max: limits.markdown }) } }),
  plan: block('plan', { required: { title: string({ min: 1 }) }, optional: { tasks: list(byType(() => ({ task_card: task }))) } }),
  rich_text: richText,
  section,
  table,
  task_card: task,
  video: block('video', {
    required: {
      video_url: url(limits.image.url),
      thumbnail_url: url(limits.image.url),
      alt_text: string({ min: 1 }),
      title: plainText(limits.video.title),
    },
    optional: {
      title_url: url(limits.image.url),
      author_name: string({ max: limits.video.author }),
      provider_name: string(),
      provider_icon_url: url(limits.image.url),
      description: plainText(limits.text),
    },
  }),
}

export const anyBlock: Check = byType(() => blockTypes)
