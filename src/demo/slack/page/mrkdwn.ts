/** Slack's own text format: *bold*, _italic_, ~strike~, `code`, quotes, mentions, links and dates. */
import { dateText } from './dates.ts'
import { emoji } from './emoji.ts'
import type { Markup } from './markup.ts'
import { html, joined, link } from './markup.ts'
import type { Reader } from './reader.ts'

/** Slack sends and keeps these three escaped. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

export function mrkdwn(text: string, reader: Reader, options: { readonly links: boolean } = { links: true }): Markup {
  const parts = text.split('```')
  const closed = parts.length % 2 === 1
  return joined(
    parts.map((part, place) => {
      if (place % 2 === 1 && (closed || place < parts.length - 1)) return html`<pre>${unescaped(part.replace(/^\n|\n$/g, ''))}</pre>`
      return lines(place % 2 === 1 ? `\`\`\`${part}` : part, reader, options.links)
    }),
  )
}

/** Lines that begin with > are one quote as long as they follow each other. */
function lines(text: string, reader: Reader, links: boolean): Markup {
  const blocks: { quote: boolean; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const quoted = /^(?:&gt;|>) ?/.exec(line)
    const last = blocks.at(-1)
    const content = quoted === null ? line : line.slice(quoted[0].length)
    if (last?.quote === (quoted !== null)) last.lines.push(content)
    else blocks.push({ quote: quoted !== null, lines: [content] })
  }
  return joined(
    blocks.map(({ quote, lines: some }) => {
      const content = some.map((line, place) => html`${place === 0 ? null : html`<br>`}${inline(line, reader, links)}`)
      return quote ? html`<blockquote>${content}</blockquote>` : joined(content)
    }),
  )
}

const TOKEN =
  /`(?<code>[^`\n]+)`|<(?<angle>[^<>\n]+)>|(?<![\w*])\*(?<bold>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])|(?<!\w)_(?<italic>[^\s_](?:[^_\n]*[^\s_])?)_(?!\w)|(?<![\w~])~(?<strike>[^\s~](?:[^~\n]*[^\s~])?)~(?![\w~])|:(?<emoji>[a-z0-9_+-]+):|(?<url>https?:\/\/[^\s<>|`*]+)/g

function inline(text: string, reader: Reader, links: boolean): Markup {
  const parts: Markup[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(html`${unescaped(text.slice(from, match.index))}`, token(match, reader, links))
    from = match.index + match[0].length
  }
  return joined([...parts, html`${unescaped(text.slice(from))}`])
}

function token(match: RegExpMatchArray, reader: Reader, links: boolean): Markup {
  const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {}
  if (groups.code !== undefined) return html`<code>${unescaped(groups.code)}</code>`
  if (groups.angle !== undefined) return angle(groups.angle, reader)
  if (groups.bold !== undefined) return html`<strong>${inline(groups.bold, reader, links)}</strong>`
  if (groups.italic !== undefined) return html`<em>${inline(groups.italic, reader, links)}</em>`
  if (groups.strike !== undefined) return html`<s>${inline(groups.strike, reader, links)}</s>`
  if (groups.emoji !== undefined) return html`${emoji(groups.emoji)}`
  return links ? link(unescaped(match[0]), html`${unescaped(match[0])}`) : html`${unescaped(match[0])}`
}

/** What stands between < and >. */
function angle(inside: string, reader: Reader): Markup {
  const bar = inside.indexOf('|')
  const [target, label] = bar < 0 ? [inside, null] : [inside.slice(0, bar), inside.slice(bar + 1)]
  if (target.startsWith('@')) return mention(target.slice(1), `@${reader.userName(target.slice(1))}`, reader)
  if (target.startsWith('#')) return html`<span class="mention">#${reader.channelName(target.slice(1))}</span>`
  if (target.startsWith('!date^')) return date(target, label, reader)
  if (target.startsWith('!subteam^')) return mention(target.slice(9), `@${reader.groupName(target.slice(9))}`, reader)
  if (/^!(here|channel|everyone)$/.test(target)) return broadcast(target.slice(1))
  if (/^(https?|mailto):/i.test(target)) return link(unescaped(target), html`${unescaped(label ?? target.replace(/^mailto:/i, ''))}`)
  return html`${`<${unescaped(inside)}>`}`
}

export function mention(id: string, name: string, reader: Reader): Markup {
  return html`<span class="mention${reader.isMe(id) ? ' me' : ''}">${name}</span>`
}

/** Everybody in the channel would have been notified. */
export function broadcast(range: string): Markup {
  return html`<span class="mention me" data-broadcast="${range}">@${range}</span>`
}

function date(target: string, label: string | null, reader: Reader): Markup {
  const [, seconds = '', format = '', url = ''] = target.split('^')
  const text = dateText(Number(seconds), unescaped(format), unescaped(label ?? ''), reader)
  const shown = html`<time>${text}</time>`
  return url === '' ? shown : link(unescaped(url), shown)
}
