/**
 * Sentences of the message model, made fit to be shown: cleaned, bounded, and with mentions, links and times that are what they claim.
 * Text that others wrote stays text: nothing in a string becomes a mention, a link or a format.
 */
import { clean, visible } from '../../report/clean.ts'
import type { Part, Text } from '../../report/message.ts'
import { limits } from '../limits.ts'

/** Cleaned parts; ids and links of a wrong form have become plain text. */
export function parts(text: Text): readonly Part[] {
  const all = typeof text === 'string' ? [clean(text)] : text.map(safe)
  return all.filter((part) => part !== '')
}

function safe(part: Part): Part {
  if (typeof part === 'string') return visible(part)
  if ('person' in part) return /^[UW][A-Z0-9]+$/.test(part.person) ? part : clean(`@${part.person}`)
  if ('group' in part) return /^S[A-Z0-9]+$/.test(part.group) ? part : clean(`@${part.group}`)
  if ('channel' in part) return /^[CDG][A-Z0-9]+$/.test(part.channel) ? part : clean(`#${part.channel}`)
  if ('link' in part) return safeLink(part)
  return Number.isSafeInteger(part.at) && part.at >= 0 ? { at: part.at, plain: clean(part.plain) || String(part.at) } : clean(part.plain)
}

function safeLink({ link, words }: Extract<Part, { link: string }>): Part {
  const url = URL.parse(link)
  const said = clean(words)
  const good = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= limits.url
  return good ? { link: url.href, words: said || url.host } : said
}

/** Characters that a reader sees, or more: a name is not known here. */
export function length(text: readonly Part[]): number {
  return text.reduce((sum, part) => sum + partLength(part), 0)
}

const longestName = 25

function partLength(part: Part): number {
  if (typeof part === 'string') return part.length
  if ('at' in part) return part.plain.length
  return 'link' in part ? part.words.length : longestName
}

const left = (count: number): string => `… (${count} more characters)`
const leftLength = 35

/** At most so many characters; what is cut off is counted at its end. */
export function cut(text: readonly Part[], most: number): readonly Part[] {
  if (length(text) <= most) return text
  const kept: Part[] = []
  let room = Math.max(0, most - leftLength)
  for (const part of text) {
    if (partLength(part) <= room) {
      kept.push(part)
      room -= partLength(part)
    } else {
      if (typeof part === 'string') kept.push(head(part, room))
      break
    }
  }
  return [...kept.filter((part) => part !== ''), left(length(text) - length(kept))]
}

/** The same for what can only be plain. */
export function cutString(text: string, most: number): string {
  const tidy = clean(text)
  return tidy.length <= most ? tidy : `${head(tidy, Math.max(0, most - leftLength))}${left(tidy.length - Math.max(0, most - leftLength))}`
}

/** Never through the middle of a character. */
function head(text: string, most: number): string {
  const end = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '') ? most - 1 : most
  return text.slice(0, Math.max(0, end))
}

/** What two instants of one sentence share need not be said twice: the second is a time of day alone. */
const sameDayS = 6 * 3600

/** How an instant is written, by the one before it in the same sentence. */
export function format(at: number, before: number | null): string {
  return before !== null && Math.abs(at - before) <= sameDayS ? '{time}' : '{date_short_pretty} {time}'
}

/** What Slack reads as a mark of its own, as what it is. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** In Slack's own text format, for where nothing better can stand. Times are the reader's own. */
export function mrkdwn(text: readonly Part[]): string {
  let before: number | null = null
  return text
    .map((part) => {
      if (typeof part === 'string') return escaped(part)
      if ('person' in part) return `<@${part.person}>`
      if ('group' in part) return `<!subteam^${part.group}>`
      if ('channel' in part) return `<#${part.channel}>`
      if ('link' in part) return `<${escaped(part.link).replaceAll('|', '%7C')}|${escaped(part.words)}>`
      const written = `<!date^${part.at}^${format(part.at, before)}|${escaped(part.plain).replaceAll('|', ' ')}>`
      before = part.at
      return written
    })
    .join('')
}

const mention = /<@([UW][A-Z0-9]+)>|<!subteam\^(S[A-Z0-9]+)>|<#([CDG][A-Z0-9]+)>/

/** A sentence in which people and groups are named in Slack's way, and nothing else is more than text. */
export function withMentions(text: string): Text {
  return text.split(mention).flatMap((piece, place): Part[] => {
    if (piece === undefined || piece === '') return []
    return [[piece, { person: piece }, { group: piece }, { channel: piece }][place % 4] as Part]
  })
}
