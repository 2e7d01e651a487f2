/** Text into lines of a fixed number of columns. Words are never cut by a line end; a word longer than a line is shortened. */
import { clean } from './clean.ts'

/** Numbers stay with their units: "3 min 20 s" is one thing to read. */
const unitAfterNumber = /(\d) (?=(?:k|M|bn|ms|s|min|h|d|%|records?|records\/s|records\/min|times)(?![\w/]))/g
const glue = '\u00a0'
/** "48 k" with its "records", "3 min" with its "20 s". */
const secondPart = /(\d\u00a0(?:k|M|bn|min|h|d)) (?=records|\d)/g

export interface Indent {
  readonly first: string
  readonly rest: string
}

/** Cleaned text in lines of at most `width` columns, the indent included. */
export function wrap(text: string, width: number, indent: Indent = { first: '', rest: '' }): string[] {
  const lines: string[] = []
  let line = indent.first
  let empty = true
  const words = clean(text)
    .replace(unitAfterNumber, `$1${glue}`)
    .replace(secondPart, `$1${glue}`)
    .replace(/ ago\b/g, `${glue}ago`)
  for (const word of words.split(' ')) {
    if (!empty && columns(line) + 1 + columns(word) > width) {
      lines.push(line)
      line = indent.rest
      empty = true
    }
    const space = empty ? 0 : 1
    line += (empty ? '' : ' ') + shorten(word, Math.max(1, width - columns(line) - space))
    empty = false
  }
  lines.push(line)
  return lines.map((done) => done.replaceAll(glue, ' ').trimEnd())
}

/** Both ends of a name tell more than its beginning: "orders_from_…_bronze". */
export function shorten(text: string, most: number): string {
  if (columns(text) <= most) return text
  if (most <= 1) return '…'
  const points = [...text]
  const tail = takeColumns(points.toReversed(), Math.floor((most - 1) / 2)).reverse()
  const head = takeColumns(points, most - 1 - columns(tail.join('')))
  return `${head.join('')}…${tail.join('')}`
}

/** A sentence is told from its beginning: whole sentences where one fits, else whole words. */
export function beginning(text: string, most: number): string {
  if (columns(text) <= most) return text
  const fits = (end: number): boolean => columns(text.slice(0, end)) <= most
  const sentence = [...text.matchAll(/[.!?](?= )/g)].map(({ index }) => index + 1).findLast(fits)
  if (sentence !== undefined && sentence > most / 3) return text.slice(0, sentence)
  const head = takeColumns([...text], Math.max(1, most - 1)).join('')
  const word = head.lastIndexOf(' ')
  // A word that fills half of it is cut itself.
  return `${(text[head.length] === ' ' || word < head.length / 2 ? head : head.slice(0, word)).replace(/[ ,;:]+$/, '')}…`
}

/** Columns a terminal gives to the text: none for combining marks, two for East Asian and emoji. */
export function columns(text: string): number {
  let total = 0
  for (const point of text) total += columnsOf(point)
  return total
}

function takeColumns(points: readonly string[], most: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const point of points) {
    used += columnsOf(point)
    if (used > most) break
    taken.push(point)
  }
  return taken
}

/** Blocks that terminals draw two columns wide (East Asian Width W and F, and emoji). */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
]

function columnsOf(point: string): number {
  const code = point.codePointAt(0) as number
  if (code < 0x300) return 1
  if (/^[\p{Mn}\p{Me}]$/u.test(point)) return 0
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}
