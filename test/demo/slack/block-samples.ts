/** Blocks of every type with arbitrary content, some of which Slack takes. For properties. */
import type { Arbitrary } from 'fast-check'
import { array, constant, constantFrom, dictionary, double, integer, jsonValue, oneof, option, record, string } from 'fast-check'
import type { Fields } from '../../../src/demo/slack/json.ts'

/** Texts that a label might carry to break a page, a format, or a mention. */
const nasty = constantFrom(
  '<script>alert(1)</script>',
  '<!channel>',
  '&lt;!here&gt;',
  '"><img src=x onerror=alert(1)>',
  '<javascript:alert(1)|x>',
  '<https://a.test/"onmouseover="alert(1)|x>',
  '*bold _both* it_ ~`code`~',
  '```open',
  '<!date^9999999999999999^{time}^x|y>',
  '<!date^0^{nonsense}|y>',
  '<@U0AMARA> <#C0DATA|x> <!subteam^S0OWNERS>',
  '> quote\n&gt; quote',
  ':red_circle: :constructor: {{7*7}}',
  '| a | b |\n|---|---|\n| **x** | `y` |',
)
const text = oneof(nasty, string({ minLength: 1, maxLength: 60 }))
const few = <T>(of: Arbitrary<T>): Arbitrary<T[]> => array(of, { minLength: 1, maxLength: 3 })
const maybe = <T>(of: Arbitrary<T>): Arbitrary<T | undefined> => option(of, { nil: undefined })

const plain = record({ type: constant('plain_text'), text, emoji: constantFrom(true, false) })
const mrkdwn = record({ type: constant('mrkdwn'), text, verbatim: constantFrom(true, false) })
const anyText = oneof(plain, mrkdwn)
const url = constantFrom('https://a.test/x', 'http://127.0.0.1:1/x.png', 'https://a.test/?q=<\'">', 'mailto:a@b.test')
const image = oneof(
  record({ type: constant('image'), alt_text: text, image_url: url }),
  record({ type: constant('image'), alt_text: text, slack_file: record({ id: constantFrom('F0NOTHERE00', 'constructor') }) }),
)
const confirm = record({ title: plain, text: anyText, confirm: plain, deny: plain })
const menuOption = record({ text: plain, value: text, description: maybe(plain) })
const button = record({
  type: constant('button'),
  text: plain,
  value: maybe(text),
  url: maybe(url),
  style: maybe(constantFrom('primary', 'danger')),
  confirm: maybe(confirm),
})
const element = oneof(
  button,
  record({ type: constantFrom('static_select', 'multi_static_select'), options: few(menuOption), placeholder: maybe(plain) }),
  record({ type: constantFrom('static_select'), option_groups: few(record({ label: plain, options: few(menuOption) })) }),
  record({
    type: constantFrom(
      'users_select',
      'multi_users_select',
      'channels_select',
      'conversations_select',
      'external_select',
      'datepicker',
      'timepicker',
      'datetimepicker',
    ),
  }),
  record({ type: constantFrom('overflow', 'checkboxes', 'radio_buttons'), options: few(menuOption) }),
)
const inputElement = oneof(
  element,
  record({
    type: constantFrom('plain_text_input', 'email_text_input', 'url_text_input', 'rich_text_input', 'file_input'),
    placeholder: maybe(plain),
  }),
)

const style = dictionary(constantFrom('bold', 'italic', 'strike', 'code'), constantFrom(true, false))
const inline = oneof(
  record({ type: constant('text'), text, style }),
  record({ type: constant('link'), url, text: maybe(text) }),
  record({ type: constant('user'), user_id: text }),
  record({ type: constant('channel'), channel_id: text }),
  record({ type: constant('usergroup'), usergroup_id: text }),
  record({ type: constant('emoji'), name: text }),
  record({ type: constant('broadcast'), range: constantFrom('here', 'channel') }),
  record({
    type: constant('date'),
    timestamp: oneof(integer(), double({ noNaN: true, noDefaultInfinity: true })),
    format: oneof(text, constant('{date_pretty} {time}')),
    fallback: maybe(text),
  }),
)
const section = record({ type: constant('rich_text_section'), elements: few(inline) })
const richText = record({
  type: constant('rich_text'),
  elements: few(
    oneof(
      section,
      record({
        type: constant('rich_text_list'),
        style: constantFrom('bullet', 'ordered'),
        indent: integer({ min: 0, max: 8 }),
        elements: few(section),
      }),
      record({ type: constant('rich_text_quote'), elements: few(inline) }),
      record({ type: constant('rich_text_preformatted'), elements: few(record({ type: constant('text'), text })) }),
    ),
  ),
})
const cell = oneof(record({ type: constant('raw_text'), text }), record({ type: constant('raw_number'), value: integer(), text }), richText)
const point = record({ label: constantFrom('a'), value: double({ noNaN: true, noDefaultInfinity: true }) })
const card = record({ type: constant('card'), title: maybe(mrkdwn), body: mrkdwn, hero_image: maybe(image), actions: maybe(few(button)) })

const simple = oneof(
  record({ type: constant('actions'), elements: few(element) }),
  record({ type: constant('alert'), text: anyText, level: maybe(constantFrom('info', 'error')) }),
  card,
  record({ type: constant('carousel'), elements: few(card) }),
  record({ type: constant('context'), elements: few(oneof(anyText, image)) }),
  record({
    type: constant('data_table'),
    caption: text,
    rows: array(array(cell, { minLength: 1, maxLength: 1 }), { minLength: 2, maxLength: 3 }),
  }),
  record({
    type: constant('data_visualization'),
    title: text,
    chart: oneof(
      record({ type: constant('pie'), segments: few(record({ label: constantFrom('a', '<b>'), value: integer({ min: 1 }) })) }),
      record({
        type: constantFrom('bar', 'line', 'area'),
        series: array(record({ name: constantFrom('a', 'b'), data: array(point, { minLength: 1, maxLength: 1 }) }), {
          minLength: 1,
          maxLength: 2,
        }),
        axis_config: record({ categories: constant(['a']) }),
      }),
    ),
  }),
  record({ type: constant('divider') }),
  record({ type: constant('header'), text: plain }),
  image,
  record({
    type: constant('input'),
    label: plain,
    element: inputElement,
    optional: constantFrom(true, false),
    dispatch_action: constantFrom(true, false),
  }),
  record({ type: constant('markdown'), text }),
  richText,
  record({ type: constant('section'), text: maybe(anyText), fields: maybe(few(anyText)), accessory: maybe(oneof(element, image)) }),
  record({
    type: constant('table'),
    rows: few(few(cell)),
    column_settings: maybe(few(option(record({ align: constantFrom('left', 'right') })))),
  }),
  record({
    type: constant('task_card'),
    task_id: text,
    title: text,
    status: constantFrom('pending', 'complete'),
    details: maybe(richText),
  }),
  record({ type: constant('video'), video_url: url, thumbnail_url: url, alt_text: text, title: plain }),
  record({ type: constant('file'), source: constant('remote'), external_id: text }),
)

/** One block that may or may not be right. */
export const anyBlock: Arbitrary<Fields> = oneof(
  { weight: 8, arbitrary: simple as Arbitrary<Fields> },
  {
    weight: 1,
    arbitrary: record({
      type: constant('container'),
      title: plain,
      child_blocks: few(simple),
      is_collapsible: constantFrom(true, false),
    }) as Arbitrary<Fields>,
  },
  {
    weight: 1,
    arbitrary: record({
      type: constantFrom('section', 'actions', 'table', 'rich_text'),
      text: jsonValue(),
      elements: jsonValue(),
      rows: jsonValue(),
    }) as Arbitrary<Fields>,
  },
)
