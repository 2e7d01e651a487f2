/** Texts and the small objects that interactive elements are made of. */
import type { Check } from './check.ts'
import { byType, flag, list, object, problem, string, url, word } from './check.ts'
import { limits } from './limits.ts'

export const id = string({ min: 1, max: limits.id })

export function plainText(max: number = limits.text): Check {
  const shape = object({ required: { type: word('plain_text'), text: string({ min: 1, max }) }, optional: { emoji: flag } })
  return byType(() => ({ plain_text: shape }))
}

export function mrkdwn(max: number = limits.text): Check {
  const shape = object({ required: { type: word('mrkdwn'), text: string({ min: 1, max }) }, optional: { verbatim: flag } })
  return byType(() => ({ mrkdwn: shape }))
}

export function anyText(max: number = limits.text): Check {
  return byType(() => ({ plain_text: plainText(max), mrkdwn: mrkdwn(max) }))
}

export const confirm = object({
  required: {
    title: plainText(limits.confirm.title),
    text: anyText(limits.confirm.text),
    confirm: plainText(limits.confirm.button),
    deny: plainText(limits.confirm.button),
  },
  optional: { style: word('primary', 'danger') },
})

/** Options of radio buttons and checkboxes may be formatted; those of menus not; only those of an overflow menu may link. */
export function option(text: Check, more: Readonly<Record<string, Check>> = {}): Check {
  return object({
    required: { text, value: string({ min: 1, max: limits.option.value }) },
    optional: { description: anyText(limits.option.description), ...more },
  })
}

export const formattedOption = option(anyText(limits.option.text))
export const menuOption = option(plainText(limits.option.text))
export const overflowOption = option(plainText(limits.option.text), { url: url(limits.option.url) })

export const optionGroup = object({
  required: { label: plainText(limits.option.text), options: list(menuOption, { min: 1, max: limits.optionsInGroup }) },
})

export const dispatchConfig = object({
  optional: { trigger_actions_on: list(word('on_enter_pressed', 'on_character_entered'), { min: 1, max: 2 }) },
})

export const conversationFilter = object({
  optional: {
    include: list(word('im', 'mpim', 'private', 'public'), { min: 1 }),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
})

/** Exactly one of id and url. */
export const slackFile = object({
  optional: { id: string({ min: 1 }), url: url(limits.image.url) },
  also: (value, pointer) =>
    [value.id, value.url].filter((one) => one !== undefined).length === 1
      ? []
      : [problem('must provide exactly one of id or url', pointer)],
})

/** Exactly one of image_url and slack_file. */
export function imageShape(more: Readonly<Record<string, Check>>): Check {
  return object({
    required: { type: word('image'), alt_text: string({ min: 1, max: limits.image.alt }) },
    optional: {
      image_url: url(limits.image.url),
      slack_file: slackFile,
      image_width: anyNumber,
      image_height: anyNumber,
      image_bytes: anyNumber,
      ...more,
    },
    also: (value, pointer) =>
      (value.image_url === undefined) !== (value.slack_file === undefined)
        ? []
        : [problem('must provide exactly one of image_url or slack_file', pointer)],
  })
}

const anyNumber: Check = (value, pointer) => (typeof value === 'number' ? [] : [problem('must provide a number', pointer)])
