/**
 * The door for text that others wrote: topic names, event texts and error messages may hold anything. Whatever is printed
 * or drawn goes through here once, so that no name can colour a terminal, move its cursor, or start a second line.
 */

const ESC = 0x1b
const BEL = 0x07
const CSI = 0x9b
const ST = 0x9c

/** Introduce strings that last until BEL or ST: DCS, SOS, OSC, PM, APC (the character after ESC). */
const stringStarts = new Set(['P', 'X', ']', '^', '_'])

/** Invisible characters that reorder or hide text: soft hyphen, zero-width, bidirectional controls, byte order mark. */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu

/** One line of visible text, with runs of blanks as one. */
export function clean(text: string): string {
  return visible(text).replace(/ {2,}/g, ' ').trim()
}

/** No escape sequences, no control or invisible characters; blanks are kept, as in a command, where two are not one. */
export function visible(text: string): string {
  const points = [...text.toWellFormed()]
  let out = ''
  for (let i = 0; i < points.length; i++) {
    const point = points[i] as string
    const code = point.codePointAt(0) as number
    if (code === ESC || code === CSI) {
      i = endOfEscape(points, i)
    } else if (isBlank(code)) {
      out += ' '
    } else if (!isControl(code)) {
      out += point
    }
  }
  return out.replace(invisible, '')
}

const isBlank = (code: number): boolean => (code >= 0x09 && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f)

/** Index of the last character of the escape sequence that starts at `from`. */
function endOfEscape(points: readonly string[], from: number): number {
  const isCsi = points[from]?.codePointAt(0) === CSI
  const next = points[from + 1]
  if (!isCsi && next !== '[') {
    return next !== undefined && stringStarts.has(next) ? endOfString(points, from + 1) : Math.min(from + 1, points.length - 1)
  }
  for (let i = from + (isCsi ? 1 : 2); i < points.length; i++) {
    const code = (points[i] as string).codePointAt(0) as number
    if (code >= 0x40 && code <= 0x7e) return i
    // A byte that no sequence may hold: not a sequence after all, keep what follows.
    if (code < 0x20 || code > 0x7e) return i - 1
  }
  return points.length - 1
}

/** Without its end mark such a string would swallow the whole text: then only its start is removed. */
function endOfString(points: readonly string[], from: number): number {
  for (let i = from + 1; i < points.length; i++) {
    const code = (points[i] as string).codePointAt(0) as number
    if (code === BEL || code === ST) return i
    if (code === ESC && points[i + 1] === '\\') return i + 1
  }
  return from
}
