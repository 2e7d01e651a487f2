/** What a person picked or entered in an element, as payloads and state.values show it. */
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'

/** Options of a menu, of its groups too. */
export function optionsOf(element: Fields): Fields[] {
  const groups = listOf(element.option_groups).map(fieldsOf)
  return [...listOf(element.options), ...groups.flatMap((group) => listOf(group.options))].map(fieldsOf)
}

/** Element type → the field that holds a single id or text. */
const SINGLE: Readonly<Record<string, string>> = {
  users_select: 'selected_user',
  conversations_select: 'selected_conversation',
  channels_select: 'selected_channel',
  datepicker: 'selected_date',
  timepicker: 'selected_time',
  plain_text_input: 'value',
  email_text_input: 'value',
  url_text_input: 'value',
  number_input: 'value',
}
const MANY: Readonly<Record<string, string>> = {
  multi_users_select: 'selected_users',
  multi_conversations_select: 'selected_conversations',
  multi_channels_select: 'selected_channels',
}

/** @param values what was picked: values of options, ids, or the text that was entered; none = nothing */
export function picked(element: Fields, values: readonly string[]): Fields {
  const type = textOf(element.type)
  const first = values[0] === undefined || values[0] === '' ? null : values[0]
  if (SINGLE[type] !== undefined) return { type, [SINGLE[type]]: first }
  if (MANY[type] !== undefined) return { type, [MANY[type]]: values }
  if (type === 'datetimepicker') return { type, selected_date_time: first === null ? null : Number(first) }
  if (type === 'file_input') return { type, files: [] }
  if (type === 'rich_text_input') return { type, rich_text_value: first === null ? null : richText(first) }
  const chosen = optionsOf(element).filter((option) => values.includes(textOf(option.value)))
  const several = type === 'checkboxes' || type.startsWith('multi_')
  return several ? { type, selected_options: chosen } : { type, selected_option: chosen[0] ?? null }
}

function richText(text: string): Fields {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] }
}

/** What an element holds when the view opens. */
export function initial(element: Fields): string[] {
  const options = [...listOf(element.initial_options), ...(element.initial_option === undefined ? [] : [element.initial_option])]
  if (options.length > 0) return options.map((option) => textOf(fieldsOf(option).value))
  const names = [
    'initial_value',
    'initial_date',
    'initial_time',
    'initial_user',
    'initial_conversation',
    'initial_channel',
    'initial_date_time',
  ]
  const single = names.map((name) => element[name]).find((value) => typeof value === 'string' || typeof value === 'number')
  if (single !== undefined) return [String(single)]
  return ['initial_users', 'initial_conversations', 'initial_channels'].flatMap((name) => listOf(element[name]).map(String))
}
