/** The sets of characters that a pattern can name: escapes, classes, "[…]". A character is its Unicode code point. */
import type { Reader } from './reader.ts'

export type CodePoints = (point: number) => boolean

export const isWord: CodePoints = (point) => /\w/.test(String.fromCodePoint(point))
const classes: Readonly<Record<string, CodePoints>> = {
  d: (point) => point >= 0x30 && point <= 0x39,
  w: isWord,
  s: (point) => point === 0x20 || (point >= 0x09 && point <= 0x0d && point !== 0x0b),
}
const controls: Readonly<Record<string, number>> = { a: 0x07, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09, v: 0x0b }

/** What stands after a backslash: one code point or a set of them. */
export function readEscape(reader: Reader): number | CodePoints {
  const hex = reader.match(/^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/)
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2]!, 16)
    if (code > 0x10ffff) reader.fail(`no character "\\${hex[0]}"`)
    return Math.min(code, 0x10ffff)
  }
  const property = reader.match(/^([pP])(?:([A-Z])|\{(\^?)(\w+)\})/)
  if (property !== null) return unicode(reader, property[2] ?? property[4]!, (property[1] === 'P') !== (property[3] === '^'))
  const point = reader.next()
  const named = classes[point] ?? classes[point.toLowerCase()]
  if (named !== undefined) return classes[point] === undefined ? (code) => !named(code) : named
  if (controls[point] !== undefined) return controls[point]
  if (point === '') reader.fail('a backslash at the end')
  else if (/\d/.test(point)) reader.fail(`the back-reference "\\${point}"`)
  else if (/\w/.test(point)) reader.fail(`the unknown escape "\\${point}"`)
  return point.codePointAt(0) ?? 0
}

function unicode(reader: Reader, name: string, negated: boolean): CodePoints {
  for (const form of [name, `Script=${name}`]) {
    try {
      // One character is looked at, so this takes no longer than a comparison.
      const property = new RegExp(`^\\p{${form}}$`, 'u')
      return (point) => property.test(String.fromCodePoint(point)) !== negated
    } catch {}
  }
  reader.fail(`the unknown property "${name}"`)
  return () => false
}

export function bracket(reader: Reader): CodePoints {
  const negated = reader.take('^')
  const sets: CodePoints[] = []
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done()) {
      reader.fail('a "[" without its "]"')
      return () => false
    }
    const named = reader.match(/^\[:(\^?)([a-z]+):\]/)
    if (named !== null) {
      sets.push(posix(reader, named[2]!, named[1] === '^'))
      continue
    }
    const from = member(reader)
    if (typeof from !== 'number') sets.push(from)
    else if (reader.match(/^-(?=[^\]])/) === null) sets.push((point) => point === from)
    else {
      const to = member(reader)
      if (typeof to !== 'number' || to < from) reader.fail('a range in "[…]" that ends before it begins')
      else sets.push((point) => point >= from && point <= to)
    }
  }
  reader.next()
  return (point) => sets.some((has) => has(point)) !== negated
}

function member(reader: Reader): number | CodePoints {
  const point = reader.next()
  return point === '\\' ? readEscape(reader) : (point.codePointAt(0) ?? 0)
}

const posixNames: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t\n\v\f\r ]/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
}

function posix(reader: Reader, name: string, negated: boolean): CodePoints {
  const form = posixNames[name]
  if (form === undefined) reader.fail(`the unknown class "[:${name}:]"`)
  return (point) => (form?.test(String.fromCodePoint(point)) ?? false) !== negated
}

/** The same set, upper or lower case alike. */
export function folded(has: CodePoints, fold: boolean): CodePoints {
  if (!fold) return has
  const inCase = (point: number, text: string): boolean => [...text].length === 1 && has(text.codePointAt(0) ?? point)
  return (point) => {
    const text = String.fromCodePoint(point)
    return has(point) || inCase(point, text.toLowerCase()) || inCase(point, text.toUpperCase())
  }
}
