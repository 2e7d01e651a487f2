/** Buttons, menus, choices and inputs. page.js reads the data attributes; what a press does is decided in ../interact. */
import { initial, optionsOf } from '../interact/picked.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import type { Markup } from './markup.ts'
import { html, joined, nothing } from './markup.ts'
import type { Reader } from './reader.ts'
import { picture, plain, textObject } from './texts.ts'

/** People and channels to choose from. */
export interface Choices {
  readonly users: readonly (readonly [id: string, name: string])[]
  readonly channels: readonly (readonly [id: string, name: string])[]
}

export interface Surface {
  readonly reader: Reader
  readonly choices: Choices
  readonly block: string
  /** A press of it is sent at once; in an input block it waits for the modal's submit button. */
  readonly sends: boolean
  /** action_id → what was entered before; null = what the app set. */
  readonly entered: ((action: string) => readonly string[] | null) | null
}

function attributes(element: Fields, surface: Surface): Markup {
  const confirm = element.confirm === undefined ? nothing : html` data-confirm="${confirmText(element.confirm, surface.reader)}"`
  const sends = surface.sends ? html` data-press="${textOf(element.action_id)}" data-block="${surface.block}"` : nothing
  return html` name="${textOf(element.action_id)}"${sends}${confirm}`
}

/** A confirm dialog as JSON for the page's script. */
function confirmText(value: unknown, reader: Reader): string {
  const confirm = fieldsOf(value)
  const words = {
    title: plain(confirm.title),
    html: textObject(confirm.text, reader).markup,
    yes: plain(confirm.confirm),
    no: plain(confirm.deny),
  }
  return JSON.stringify({ ...words, danger: confirm.style === 'danger' })
}

function button(element: Fields, surface: Surface): Markup {
  const style = ['primary', 'danger'].includes(textOf(element.style)) ? textOf(element.style) : 'default'
  const label = textOf(element.accessibility_label) || plain(element.text)
  const url = textOf(element.url)
  return html`<button type="button" class="button ${style}" aria-label="${label}"${url === '' ? nothing : html` data-url="${url}"`}${attributes(element, surface)}>${plain(element.text)}</button>`
}

type Choice = readonly [value: string, label: string]

function choicesOf(element: Fields, choices: Choices): readonly Choice[] {
  const type = textOf(element.type)
  if (type.includes('users')) return choices.users
  if (type.includes('channels') || type.includes('conversations')) return choices.channels
  return optionsOf(element).map((option) => [textOf(option.value), plain(option.text)])
}

function menu(element: Fields, surface: Surface, held: readonly string[]): Markup {
  const many = textOf(element.type).startsWith('multi_')
  const prompt = plain(element.placeholder) || (element.type === 'overflow' ? '⋯' : 'Choose…')
  const options = choicesOf(element, surface.choices).map(
    ([value, label]) => html`<option value="${value}"${held.includes(value) ? html` selected` : nothing}>${label}</option>`,
  )
  const first = many ? nothing : html`<option value="">${prompt}</option>`
  return html`<select aria-label="${prompt}"${many ? html` multiple` : nothing}${attributes(element, surface)}>${first}${options}</select>`
}

function boxes(element: Fields, surface: Surface, held: readonly string[]): Markup {
  const type = element.type === 'checkboxes' ? 'checkbox' : 'radio'
  const rows = listOf(element.options).map((one) => {
    const option = fieldsOf(one)
    const value = textOf(option.value)
    const note = option.description === undefined ? nothing : html`<small>${textObject(option.description, surface.reader)}</small>`
    const checked = held.includes(value) ? html` checked` : nothing
    return html`<label class="choice"><input type="${type}" value="${value}"${checked}${attributes(element, surface)}><span>${textObject(option.text, surface.reader)}${note}</span></label>`
  })
  return html`<div class="choices">${rows}</div>`
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'number',
  email_text_input: 'email',
  url_text_input: 'url',
  number_input: 'text',
  plain_text_input: 'text',
}

function input(element: Fields, surface: Surface, held: readonly string[]): Markup {
  const type = textOf(element.type)
  const hint = plain(element.placeholder)
  if (type === 'file_input') return html`<input type="file" disabled aria-label="files">`
  if (element.multiline === true || type === 'rich_text_input') {
    const text = typeof element.initial_value === 'object' ? '' : (held[0] ?? '')
    return html`<textarea rows="4" placeholder="${hint}"${attributes(element, surface)}>${text}</textarea>`
  }
  return html`<input type="${INPUT_TYPES[type] ?? 'text'}" value="${held[0] ?? ''}" placeholder="${hint}"${attributes(element, surface)}>`
}

function feedback(element: Fields, surface: Surface): Markup {
  const one = (name: string): Markup =>
    html`<button type="button" class="button default"${attributes(element, surface)}>${plain(fieldsOf(element[name]).text)}</button>`
  return joined([one('positive_button'), one('negative_button')])
}

export function element(value: Fields, surface: Surface): Markup {
  const type = textOf(value.type)
  const held = surface.entered?.(textOf(value.action_id)) ?? initial(value)
  if (type === 'image') return picture(value, surface.reader, 'icon')
  if (type === 'button' || type === 'workflow_button' || type === 'icon_button') return button(value, surface)
  if (type === 'feedback_buttons') return feedback(value, surface)
  if (type.endsWith('_select') || type === 'overflow') return menu(value, surface, held)
  if (type === 'checkboxes' || type === 'radio_buttons') return boxes(value, surface, held)
  return input(value, surface, held)
}
