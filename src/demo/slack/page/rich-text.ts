/** Rich text, as people's own messages and table cells carry it. */
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import { dateText } from './dates.ts'
import { emoji } from './emoji.ts'
import type { Markup } from './markup.ts'
import { html, joined, link } from './markup.ts'
import { broadcast, mention } from './mrkdwn.ts'
import type { Reader } from './reader.ts'

export function richText(block: Fields, reader: Reader): Markup {
  return joined(listOf(block.elements).map((part) => partOf(fieldsOf(part), reader)))
}

function partOf(part: Fields, reader: Reader): Markup {
  const inside = (): Markup => joined(listOf(part.elements).map((one) => inline(fieldsOf(one), reader)))
  if (part.type === 'rich_text_quote') return html`<blockquote>${inside()}</blockquote>`
  if (part.type === 'rich_text_preformatted') return html`<pre>${inside()}</pre>`
  if (part.type !== 'rich_text_list') return html`<div class="rich">${inside()}</div>`
  const items = listOf(part.elements).map(
    (item) => html`<li>${joined(listOf(fieldsOf(item).elements).map((one) => inline(fieldsOf(one), reader)))}</li>`,
  )
  const indent = `indent-${Math.min(8, Number(part.indent ?? 0) || 0)}`
  return part.style === 'ordered' ? html`<ol class="${indent}">${items}</ol>` : html`<ul class="${indent}">${items}</ul>`
}

function inline(element: Fields, reader: Reader): Markup {
  const style = fieldsOf(element.style)
  let drawn = bare(element, reader)
  if (style.code === true) drawn = html`<code>${drawn}</code>`
  if (style.bold === true) drawn = html`<strong>${drawn}</strong>`
  if (style.italic === true) drawn = html`<em>${drawn}</em>`
  if (style.strike === true) drawn = html`<s>${drawn}</s>`
  if (style.underline === true) drawn = html`<u>${drawn}</u>`
  return drawn
}

function bare(element: Fields, reader: Reader): Markup {
  switch (element.type) {
    case 'link':
      return link(textOf(element.url), html`${textOf(element.text) || textOf(element.url)}`)
    case 'user':
      return mention(textOf(element.user_id), `@${reader.userName(textOf(element.user_id))}`, reader)
    case 'usergroup':
      return mention(textOf(element.usergroup_id), `@${reader.groupName(textOf(element.usergroup_id))}`, reader)
    case 'channel':
      return html`<span class="mention">#${reader.channelName(textOf(element.channel_id))}</span>`
    case 'broadcast':
      return broadcast(textOf(element.range))
    case 'emoji':
      return html`${emoji(textOf(element.name))}`
    case 'date': {
      const shown = html`<time>${dateText(Number(element.timestamp), textOf(element.format), textOf(element.fallback), reader)}</time>`
      return element.url === undefined ? shown : link(textOf(element.url), shown)
    }
    case 'color':
      return html`<code>${textOf(element.value)}</code>`
    case 'team':
      return html`<span class="mention">${textOf(element.team_id)}</span>`
    default:
      return html`${lines(textOf(element.text))}`
  }
}

function lines(text: string): Markup[] {
  return text.split('\n').map((line, place) => html`${place === 0 ? null : html`<br>`}${line}`)
}
