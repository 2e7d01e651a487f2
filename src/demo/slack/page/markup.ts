/** HTML that cannot be broken by what is put into it: every value is escaped unless it is markup already. */

export interface Markup {
  readonly markup: string
}

type Value = Markup | string | number | null | undefined | false | readonly Markup[]

/** Text for element content and for attributes in double quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { markup: parts.map((part, place) => part + shown(values[place])).join('') }
}

export function joined(parts: readonly Markup[]): Markup {
  return { markup: parts.map((part) => part.markup).join('') }
}

export const nothing: Markup = { markup: '' }

function shown(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return isList(value) ? value.map((one) => one.markup).join('') : value.markup
}

function isList(value: Markup | readonly Markup[]): value is readonly Markup[] {
  return Array.isArray(value)
}

/** A link that can only lead to a page or an address: "javascript:" and the like become text. */
export function link(url: string, content: Markup): Markup {
  if (!/^(https?|mailto):/i.test(url)) return content
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${content}</a>`
}
