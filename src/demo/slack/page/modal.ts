/** The modal that a person looks at. */
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import type { View } from '../workspace/views.ts'
import type { Page } from './blocks.ts'
import { blocks } from './blocks.ts'
import type { Choices } from './elements.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'
import type { Reader } from './reader.ts'
import { plain } from './texts.ts'

export function modalHtml(view: View, appName: string, reader: Reader, choices: Choices): Markup {
  const { content } = view
  const page: Page = { reader, choices, errors: view.errors, entered: (block, action) => heldIn(view.entered[block]?.[action]) }
  const submit =
    content.submit === undefined ? nothing : html`<button type="submit" class="button primary">${plain(content.submit)}</button>`
  return html`<form class="modal" data-view="${view.id}" data-hash="${view.hash}" novalidate>
    <header><h2>${plain(content.title)}</h2><small>${appName}</small></header>
    ${view.trouble === null ? nothing : html`<div class="error" role="alert">${view.trouble}</div>`}
    <div class="modal-body">${blocks(listOf(content.blocks), page)}</div>
    <footer><button type="button" class="button default" data-close>${plain(content.close) || 'Cancel'}</button>${submit}</footer>
  </form>`
}

/** What state.values holds for an element, as the values that were picked; null = nothing was entered yet. */
function heldIn(state: Fields | undefined): readonly string[] | null {
  if (state === undefined) return null
  const option = (one: unknown): string => textOf(fieldsOf(one).value)
  if (Array.isArray(state.selected_options)) return state.selected_options.map(option)
  if (state.selected_option !== undefined) return state.selected_option === null ? [] : [option(state.selected_option)]
  const single = Object.entries(state).find(([name]) => name !== 'type')?.[1]
  if (Array.isArray(single)) return single.map(String)
  return typeof single === 'string' || typeof single === 'number' ? [String(single)] : []
}
