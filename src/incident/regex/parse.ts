/**
 * A regular expression in the syntax of RE2, as far as alert matchers use it, as a tree. What RE2 refuses, because it cannot be
 * matched in linear time, is refused here too: back-references and look-around.
 */
import type { CodePoints } from './characters.ts'
import { bracket, folded, isWord, readEscape } from './characters.ts'
import { Reader } from './reader.ts'

export type Regex =
  /** One character: its code point is in a set. */
  | { readonly kind: 'one'; readonly has: CodePoints }
  /** No character: something holds between two of them; null = begin or end of the text. */
  | { readonly kind: 'between'; readonly holds: (before: number | null, after: number | null) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Regex[] }
  | { readonly kind: 'either'; readonly parts: readonly Regex[] }
  /** `most` = Infinity: no end. */
  | { readonly kind: 'repeat'; readonly of: Regex; readonly least: number; readonly most: number }

/** Repetitions up to which RE2 counts. */
const mostRepeats = 1_000

/** @returns the tree, or in one sentence what is wrong with the pattern */
export function parseRegex(pattern: string): { readonly regex: Regex } | { readonly mistake: string } {
  const reader = new Reader(pattern)
  const regex = either(reader, false)
  if (reader.mistake === '' && !reader.done()) reader.fail('a ")" without its "("')
  return reader.mistake === '' ? { regex } : { mistake: reader.mistake }
}

function either(reader: Reader, fold: boolean): Regex {
  const parts = [sequence(reader, fold)]
  while (reader.take('|')) parts.push(sequence(reader, fold))
  return parts.length === 1 ? parts[0]! : { kind: 'either', parts }
}

function sequence(reader: Reader, outerFold: boolean): Regex {
  const parts: Regex[] = []
  let fold = outerFold
  while (!reader.done() && reader.peek() !== '|' && reader.peek() !== ')') {
    // (?i) counts from where it stands to the end of its group.
    const flags = reader.match(/^\(\?([is]*)(?:-([is]+))?\)/)
    if (flags !== null) {
      fold = flags[1]!.includes('i') || (fold && !(flags[2] ?? '').includes('i'))
      continue
    }
    parts.push(repeated(reader, atom(reader, fold)))
  }
  return { kind: 'sequence', parts }
}

function repeated(reader: Reader, of: Regex): Regex {
  const mark = reader.peek()
  let range: readonly [number, number] | null = null
  if (mark === '*') range = [0, Number.POSITIVE_INFINITY]
  if (mark === '+') range = [1, Number.POSITIVE_INFINITY]
  if (mark === '?') range = [0, 1]
  if (range !== null) reader.next()
  else {
    // As in RE2, a brace that counts nothing is a brace.
    const counted = reader.match(/^\{(\d+)(,(\d*))?\}/)
    if (counted === null) return of
    const least = Number(counted[1])
    range = [least, counted[2] === undefined ? least : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])]
    if (least > mostRepeats || (range[1] !== Number.POSITIVE_INFINITY && range[1] > mostRepeats)) {
      reader.fail(`more than ${mostRepeats} repetitions`)
    } else if (range[0] > range[1]) reader.fail(`"${counted[0]}" has its larger number first`)
  }
  // Lazy or greedy is the same where the whole text has to match.
  reader.take('?')
  if (/^[*+?]$/.test(reader.peek())) reader.fail(`a "${reader.peek()}" right after another repetition`)
  return { kind: 'repeat', of, least: range[0], most: range[1] }
}

function atom(reader: Reader, fold: boolean): Regex {
  const point = reader.next()
  if (point === '(') return group(reader, fold)
  if (point === '[') return { kind: 'one', has: folded(bracket(reader), fold) }
  if (point === '.') return { kind: 'one', has: () => true }
  if (point === '^') return { kind: 'between', holds: (before) => before === null }
  if (point === '$') return { kind: 'between', holds: (_, after) => after === null }
  if (point === '\\') return escaped(reader, fold)
  if (/^[*+?]$/.test(point)) reader.fail(`a "${point}" with nothing before it to repeat`)
  return one(point.codePointAt(0) ?? 0, fold)
}

function group(reader: Reader, outerFold: boolean): Regex {
  let fold = outerFold
  if (reader.peek() === '?') {
    const flags = reader.match(/^\?([is]*)(?:-([is]+))?:/)
    if (flags !== null) fold = flags[1]!.includes('i') || (fold && !(flags[2] ?? '').includes('i'))
    else if (reader.match(/^\?P?<\w+>/) === null) reader.fail('look-around or an unknown group "(?"')
  }
  const inner = either(reader, fold)
  if (!reader.take(')')) reader.fail('a "(" without its ")"')
  return inner
}

function escaped(reader: Reader, fold: boolean): Regex {
  const asWord = (point: number | null): boolean => point !== null && isWord(point)
  switch (reader.peek()) {
    case 'A':
      reader.next()
      return { kind: 'between', holds: (before) => before === null }
    case 'z':
      reader.next()
      return { kind: 'between', holds: (_, after) => after === null }
    case 'b':
      reader.next()
      return { kind: 'between', holds: (before, after) => asWord(before) !== asWord(after) }
    case 'B':
      reader.next()
      return { kind: 'between', holds: (before, after) => asWord(before) === asWord(after) }
    default: {
      const found = readEscape(reader)
      return typeof found === 'number' ? one(found, fold) : { kind: 'one', has: folded(found, fold) }
    }
  }
}

const one = (code: number, fold: boolean): Regex => ({ kind: 'one', has: folded((point) => point === code, fold) })
