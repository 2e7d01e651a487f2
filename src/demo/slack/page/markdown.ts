/** Standard Markdown, as far as Slack's markdown block draws it: headings, lists, quotes, code, tables, links. */
import { emoji } from './emoji.ts'
import type { Markup } from './markup.ts'
import { html, joined, link } from './markup.ts'

export function markdown(text: string): Markup {
  const lines = text.split('\n')
  const parts: Markup[] = []
  let at = 0
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && fits(lines[at]!)) at += 1
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at]!
    const kind = kinds.find(({ starts }) => starts.test(line))
    if (kind === undefined) {
      parts.push(paragraph(take((one) => one.trim() !== '' && !kinds.some(({ starts }) => starts.test(one)))))
    } else if (kind.fence === true) {
      at += 1
      parts.push(kind.draw(take((one) => !kind.starts.test(one))))
      at += 1
    } else parts.push(kind.draw(take((one) => kind.starts.test(one))))
    take((one) => one.trim() === '')
  }
  return joined(parts)
}

interface Kind {
  readonly starts: RegExp
  readonly fence?: boolean
  readonly draw: (lines: readonly string[]) => Markup
}

const kinds: readonly Kind[] = [
  { starts: /^\s*```/, fence: true, draw: (lines) => html`<pre>${lines.join('\n')}</pre>` },
  { starts: /^#{1,6} /, draw: (lines) => joined(lines.map((line) => html`<h4>${inline(line.replace(/^#+ /, ''))}</h4>`)) },
  { starts: /^(-{3,}|\*{3,})\s*$/, draw: () => html`<hr>` },
  { starts: /^> ?/, draw: (lines) => html`<blockquote>${paragraph(lines.map((line) => line.replace(/^> ?/, '')))}</blockquote>` },
  { starts: /^\s*[-*+] /, draw: (lines) => html`<ul>${lines.map((line) => item(line.replace(/^\s*[-*+] /, '')))}</ul>` },
  { starts: /^\s*\d+[.)] /, draw: (lines) => html`<ol>${lines.map((line) => item(line.replace(/^\s*\d+[.)] /, '')))}</ol>` },
  { starts: /^\s*\|.*\|\s*$/, draw: table },
]

function item(text: string): Markup {
  const box = /^\[( |x)\] /.exec(text)
  return html`<li>${box === null ? null : box[1] === 'x' ? '☑ ' : '☐ '}${inline(box === null ? text : text.slice(4))}</li>`
}

function paragraph(lines: readonly string[]): Markup {
  return html`<p>${lines.map((line, place) => html`${place === 0 ? null : html`<br>`}${inline(line)}`)}</p>`
}

function table(lines: readonly string[]): Markup {
  const rows = lines.map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  const body = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)))
  return html`<div class="scroll"><table>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</table></div>`
}

const TOKEN =
  /`(?<code>[^`]+)`|!?\[(?<label>[^\]]*)\]\((?<url>[^()\s]+)\)|\*\*(?<bold>[^*]+)\*\*|__(?<bold2>[^_]+)__|(?<![\w*])\*(?<italic>[^*\s][^*]*)\*(?!\w)|(?<!\w)_(?<italic2>[^_\s][^_]*)_(?!\w)|~~(?<strike>[^~]+)~~|:(?<emoji>[a-z0-9_+-]+):/g

function inline(text: string): Markup {
  const parts: Markup[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(html`${text.slice(from, match.index)}`, token(match.groups ?? {}))
    from = match.index + match[0].length
  }
  return joined([...parts, html`${text.slice(from)}`])
}

function token(groups: Readonly<Record<string, string | undefined>>): Markup {
  if (groups.code !== undefined) return html`<code>${groups.code}</code>`
  if (groups.url !== undefined) return link(groups.url, html`${groups.label || groups.url}`)
  if (groups.emoji !== undefined) return html`${emoji(groups.emoji)}`
  if (groups.strike !== undefined) return html`<s>${inline(groups.strike)}</s>`
  const bold = groups.bold ?? groups.bold2
  return bold === undefined ? html`<em>${inline(groups.italic ?? groups.italic2 ?? '')}</em>` : html`<strong>${inline(bold)}</strong>`
}
