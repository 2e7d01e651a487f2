/** Interactive elements: buttons, menus, choices and inputs. */
import type { Check, Shape } from './check.ts'
import { flag, list, object, pattern, problem, string, url, whole, word } from './check.ts'
import { limits } from './limits.ts'
import { richText } from './rich-text-rules.ts'
import {
  confirm,
  conversationFilter,
  dispatchConfig,
  formattedOption,
  id,
  menuOption,
  optionGroup,
  overflowOption,
  plainText,
} from './text-rules.ts'

const placeholder = plainText(limits.placeholder)
const date = pattern(/^\d{4}-\d{2}-\d{2}$/, 'invalid date: must be YYYY-MM-DD')
const time = pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid time: must be HH:mm')
const idList = list(string({ min: 1 }))

/** Fields that every interactive element may have. */
function element(type: string, shape: Shape): Check {
  return object({
    required: { type: word(type), ...shape.required },
    optional: { action_id: id, confirm, focus_on_load: flag, ...shape.optional },
    ...(shape.also === undefined ? {} : { also: shape.also }),
  })
}

/** A menu in its single and its multiple form. */
function menu(kind: string, shape: Shape, initial: readonly [one: string, many: string, of: Check], both = false): Record<string, Check> {
  const optional = { placeholder, ...shape.optional }
  const single = { ...shape, optional: { ...optional, [initial[0]]: initial[2], ...(both ? { response_url_enabled: flag } : {}) } }
  const many = { ...shape, optional: { ...optional, [initial[1]]: list(initial[2], { min: 1 }), max_selected_items: whole(1, 1_000) } }
  return { [`${kind}_select`]: element(`${kind}_select`, single), [`multi_${kind}_select`]: element(`multi_${kind}_select`, many) }
}

const staticMenu: Shape = {
  optional: {
    options: list(menuOption, { min: 1, max: limits.options }),
    option_groups: list(optionGroup, { min: 1, max: limits.optionGroups }),
  },
  also: (value, pointer) =>
    (value.options === undefined) !== (value.option_groups === undefined)
      ? []
      : [problem('must provide exactly one of options or option_groups', pointer)],
}
const queried: Shape = { optional: { min_query_length: whole(0, 100) } }
const conversations: Shape = { optional: { default_to_current_conversation: flag, filter: conversationFilter } }
const someId = string({ min: 1 })

export const selects: Record<string, Check> = {
  ...menu('static', staticMenu, ['initial_option', 'initial_options', menuOption]),
  ...menu('external', queried, ['initial_option', 'initial_options', menuOption]),
  ...menu('users', {}, ['initial_user', 'initial_users', someId]),
  ...menu('conversations', conversations, ['initial_conversation', 'initial_conversations', someId], true),
  ...menu('channels', {}, ['initial_channel', 'initial_channels', someId], true),
}

export const button = element('button', {
  required: { text: plainText(limits.button.text) },
  optional: {
    value: string({ max: limits.button.value }),
    url: url(limits.button.url),
    style: word('primary', 'danger'),
    accessibility_label: string({ max: limits.button.label }),
  },
})

/** A menu of a choice's options; checkboxes may start with several. */
function choices(type: string, most: number, initial: Readonly<Record<string, Check>>): Check {
  return element(type, { required: { options: list(formattedOption, { min: 1, max: most }) }, optional: initial })
}

export const pickers: Record<string, Check> = {
  button,
  checkboxes: choices('checkboxes', limits.checkboxes, { initial_options: list(formattedOption, { min: 1, max: limits.checkboxes }) }),
  radio_buttons: choices('radio_buttons', limits.radioButtons, { initial_option: formattedOption }),
  datepicker: element('datepicker', { optional: { placeholder, initial_date: date } }),
  datetimepicker: element('datetimepicker', { optional: { initial_date_time: whole(1_000_000_000, 9_999_999_999) } }),
  timepicker: element('timepicker', { optional: { placeholder, initial_time: time, timezone: string({ min: 1 }) } }),
  ...selects,
}

const overflow = element('overflow', { required: { options: list(overflowOption, { min: 1, max: limits.overflow }) } })
const workflowButton = element('workflow_button', {
  required: {
    text: plainText(limits.button.text),
    workflow: object({
      required: {
        trigger: object({
          required: { url: url(limits.button.url) },
          optional: { customizable_input_parameters: list(object({ required: { name: string(), value: string() } })) },
        }),
      },
    }),
  },
  optional: { style: word('primary', 'danger'), accessibility_label: string({ max: limits.button.label }) },
})

const dispatch = { dispatch_action_config: dispatchConfig, placeholder }
const richTextInput = element('rich_text_input', {
  optional: { ...dispatch, initial_value: richText, min_lines: whole(1, 100), max_lines: whole(1, 100) },
})

export const inputs: Record<string, Check> = {
  plain_text_input: element('plain_text_input', {
    optional: {
      ...dispatch,
      initial_value: string({ max: limits.inputLength }),
      multiline: flag,
      min_length: whole(0, limits.inputLength),
      max_length: whole(1, limits.inputLength),
    },
  }),
  email_text_input: element('email_text_input', { optional: { ...dispatch, initial_value: string() } }),
  url_text_input: element('url_text_input', { optional: { ...dispatch, initial_value: string() } }),
  number_input: element('number_input', {
    required: { is_decimal_allowed: flag },
    optional: { ...dispatch, initial_value: string(), min_value: string(), max_value: string() },
  }),
  file_input: element('file_input', { optional: { filetypes: list(string({ min: 1 })), max_files: whole(1, limits.inputFiles) } }),
  rich_text_input: richTextInput,
}

const feedback = object({
  required: { text: plainText(limits.button.text), value: string({ max: limits.button.value }) },
  optional: { accessibility_label: string({ max: limits.button.label }) },
})

export const contextActions: Record<string, Check> = {
  feedback_buttons: element('feedback_buttons', { required: { positive_button: feedback, negative_button: feedback } }),
  icon_button: element('icon_button', {
    required: { icon: string({ min: 1 }), text: plainText(limits.button.text) },
    optional: {
      value: string({ max: limits.button.value }),
      accessibility_label: string({ max: limits.button.label }),
      visible_to_user_ids: idList,
    },
  }),
}

const { button: _, ...withoutButton } = pickers

/** What may stand where, by type. */
export const elementsOf = {
  actions: { ...pickers, overflow, workflow_button: workflowButton, rich_text_input: richTextInput },
  accessory: { ...pickers, overflow, workflow_button: workflowButton },
  input: { ...withoutButton, ...inputs },
} as const
