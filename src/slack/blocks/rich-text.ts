/** Rich text: every character of a string is shown as it is, so that no name can format, link or notify. */
import type { types } from '@slack/bolt'
import type { Part } from '../../report/message.ts'
import { format } from './text.ts'

type Element = types.RichTextElement
type Section = types.RichTextSection

export function elements(text: readonly Part[], style: { readonly bold?: boolean } = {}): Element[] {
  let before: number | null = null
  const styled = style.bold === true ? { style: { bold: true } } : {}
  return text.map((part): Element => {
    if (typeof part === 'string') return { type: 'text', text: part, ...styled }
    if ('person' in part) return { type: 'user', user_id: part.person }
    if ('group' in part) return { type: 'usergroup', usergroup_id: part.group }
    if ('channel' in part) return { type: 'channel', channel_id: part.channel }
    if ('link' in part) return { type: 'link', url: part.link, text: part.words, ...styled }
    const date: Element = { type: 'date', timestamp: part.at, format: format(part.at, before), fallback: part.plain, ...styled }
    before = part.at
    return date
  })
}

export const section = (inside: readonly Element[]): Section => ({ type: 'rich_text_section', elements: [...inside] })

/** One section with a line for each entry. */
export function lines(all: readonly (readonly Element[])[]): Section {
  return section(all.flatMap((line, place) => (place === 0 ? line : [{ type: 'text', text: '\n' } as const, ...line])))
}

export const bullets = (items: readonly (readonly Element[])[]): types.RichTextList => ({
  type: 'rich_text_list',
  style: 'bullet',
  elements: items.map(section),
})

export const preformatted = (text: string): types.RichTextPreformatted => ({
  type: 'rich_text_preformatted',
  elements: [{ type: 'text', text }],
})

export function richText(inside: types.RichTextBlock['elements']): types.RichTextBlock {
  return { type: 'rich_text', elements: inside }
}
