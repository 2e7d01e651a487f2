/** Blocks as Slack lays them out; one function for each type. */
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import type { Choices, Surface } from './elements.ts'
import { element } from './elements.ts'
import { markdown } from './markdown.ts'
import type { Markup } from './markup.ts'
import { html, joined, link, nothing } from './markup.ts'
import type { Reader } from './reader.ts'
import { richText } from './rich-text.ts'
import { chart, dataTable, table } from './tables.ts'
import { optional, picture, plain, textObject } from './texts.ts'

export interface Page {
  readonly reader: Reader
  readonly choices: Choices
  /** In a modal: what is wrong with a block, by its id. */
  readonly errors: Readonly<Record<string, string>>
  /** In a modal: what was entered, by block_id and action_id. */
  readonly entered: ((block: string, action: string) => readonly string[] | null) | null
}

export function blocks(list: readonly unknown[], page: Page): Markup {
  return joined(list.map((one) => block(fieldsOf(one), page)))
}

type Draw = (block: Fields, page: Page, surface: Surface) => Markup

const DRAW: Readonly<Record<string, Draw>> = {
  actions: (one, _, surface) =>
    html`<div class="block actions">${listOf(one.elements).map((each) => element(fieldsOf(each), surface))}</div>`,
  alert: (one, page) =>
    html`<div class="block alert ${textOf(one.level) || 'default'}" role="note">${textObject(one.text, page.reader)}</div>`,
  card,
  carousel: (one, page) => html`<div class="block carousel">${blocks(listOf(one.elements), page)}</div>`,
  container,
  context: (one, page, surface) =>
    html`<div class="block context">${listOf(one.elements).map((each) => contextElement(fieldsOf(each), page, surface))}</div>`,
  context_actions: (one, _, surface) =>
    html`<div class="block actions">${listOf(one.elements).map((each) => element(fieldsOf(each), surface))}</div>`,
  data_table: (one, page) => html`<div class="block">${dataTable(one, page.reader)}</div>`,
  data_visualization: (one, page) => html`<div class="block">${chart(one, page.reader)}</div>`,
  divider: () => html`<hr class="block">`,
  header: (one) => html`<h3 class="block header">${plain(one.text)}</h3>`,
  image: (one, page) =>
    html`<figure class="block image">${optional(one.title, (title) => html`<figcaption>${plain(title)}</figcaption>`)}${picture(one, page.reader, 'block')}</figure>`,
  input,
  markdown: (one) => html`<div class="block markdown">${markdown(textOf(one.text))}</div>`,
  plan: (one, page) => html`<div class="block card"><strong>${textOf(one.title)}</strong>${blocks(listOf(one.tasks), page)}</div>`,
  rich_text: (one, page) => html`<div class="block">${richText(one, page.reader)}</div>`,
  section,
  table: (one, page) => html`<div class="block">${table(one, page.reader)}</div>`,
  task_card: (one, page) =>
    html`<div class="block card">${textOf(one.title)} <small>${textOf(one.status)}</small>${['details', 'output'].map((name) => optional(one[name], (text) => richText(fieldsOf(text), page.reader)))}</div>`,
}

function block(one: Fields, page: Page): Markup {
  const id = textOf(one.block_id)
  const { entered, reader, choices } = page
  const surface = {
    reader,
    choices,
    block: id,
    sends: one.type !== 'input' || one.dispatch_action === true,
    entered: entered === null ? null : (action: string) => entered(id, action),
  }
  return (DRAW[textOf(one.type)] ?? undrawn)(one, page, surface)
}

/** Video and remote files need the internet: said instead of drawn. */
const undrawn: Draw = (one) => html`<p class="block undrawn">(a ${textOf(one.type)} block, which this stand-in does not draw)</p>`

function section(one: Fields, page: Page, surface: Surface): Markup {
  const fields = listOf(one.fields).map((field) => html`<div>${textObject(field, page.reader)}</div>`)
  const text = optional(one.text, (value) => html`<div class="text">${textObject(value, page.reader)}</div>`)
  const beside = optional(one.accessory, (value) => html`<div class="accessory">${element(fieldsOf(value), surface)}</div>`)
  return html`<div class="block section"><div class="words">${text}${fields.length === 0 ? nothing : html`<div class="fields">${fields}</div>`}</div>${beside}</div>`
}

function contextElement(each: Fields, page: Page, surface: Surface): Markup {
  return each.type === 'image' ? element(each, surface) : html`<span>${textObject(each, page.reader)}</span>`
}

function input(one: Fields, page: Page, surface: Surface): Markup {
  const error = page.errors[surface.block]
  return html`<div class="block input"><div class="label">${plain(one.label)}${one.optional === true ? html` <small>(optional)</small>` : nothing}</div>
    ${element(fieldsOf(one.element), surface)}
    ${optional(one.hint, (hint) => html`<small>${plain(hint)}</small>`)}${error === undefined ? nothing : html`<div class="error" role="alert">${error}</div>`}</div>`
}

function card(one: Fields, page: Page, surface: Surface): Markup {
  const text = (name: string): Markup => optional(one[name], (value) => html`<div class="${name}">${textObject(value, page.reader)}</div>`)
  const image = (name: string): Markup =>
    optional(one[name], (value) => picture(fieldsOf(value), page.reader, name === 'icon' ? 'icon' : 'block'))
  const buttons = listOf(one.actions).map((each) => element(fieldsOf(each), surface))
  return html`<div class="block card">${image('hero_image')}${image('icon')}${text('title')}${text('subtitle')}${text('body')}<div class="actions">${buttons}</div></div>`
}

function container(one: Fields, page: Page): Markup {
  const title = one.rich_text_title === undefined ? html`${plain(one.title)}` : richText(fieldsOf(one.rich_text_title), page.reader)
  const inside = blocks(listOf(one.child_blocks), page)
  const subtitle = optional(one.subtitle, (value) => html`<small>${textObject(value, page.reader)}</small>`)
  if (one.is_collapsible !== true) return html`<div class="block card"><strong>${title}</strong>${subtitle}${inside}</div>`
  const open = one.default_collapsed === true ? nothing : html` open`
  return html`<details class="block card"${open}><summary><strong>${title}</strong>${subtitle}</summary>${inside}</details>`
}

/** The older frame with a coloured bar. */
export function attachment(one: Fields, page: Page): Markup {
  const named: Readonly<Record<string, string>> = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' }
  const given = textOf(one.color)
  const color = named[given] ?? (/^#?[0-9a-f]{6}$/i.test(given) ? `#${given.replace('#', '')}` : '#dddddd')
  const title = one.title === undefined ? nothing : html`<strong>${link(textOf(one.title_link), html`${textOf(one.title)}`)}</strong>`
  const text = textOf(one.text) || textOf(one.fallback)
  const body =
    one.blocks === undefined
      ? html`${title}<div>${textObject({ type: 'mrkdwn', text }, page.reader)}</div>`
      : blocks(listOf(one.blocks), page)
  return html`<div class="attachment" style="border-color: ${color}">${body}</div>`
}
