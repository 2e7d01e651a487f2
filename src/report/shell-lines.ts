/**
 * A command in lines of a fixed width that can still be copied as a whole: lines end in a backslash between words, and,
 * where one word alone is longer than a line, inside the word (the rest then starts in the first column, or a blank would
 * come into it). Inside single quotes a backslash means itself, so there the quotes are closed before it and opened after.
 */
import { visible } from './clean.ts'
import { columns } from './wrap.ts'

const indentOfRest = '    '

export function shellLines(command: string, width: number, indent = '  '): string[] {
  const lines: string[] = []
  let line = indent
  let empty = true
  for (const word of shellWords(visible(command))) {
    const room = width - 2
    if (!empty && columns(line) + 1 + columns(word) > room) {
      lines.push(`${line} \\`)
      line = indentOfRest
      empty = true
    }
    // A long word that fits between the edges is better moved to the first column than cut.
    if (columns(word) > room - columns(line) - (empty ? 0 : 1) && columns(word) <= room) line = ''
    const pieces = cut(word, room - columns(line) - (empty ? 0 : 1), width - 1)
    line += (empty ? '' : ' ') + (pieces[0] as string)
    for (const piece of pieces.slice(1)) {
      lines.push(`${line}\\`)
      line = piece
    }
    empty = false
  }
  lines.push(line)
  return lines
}

/** Splits at blanks outside quotes. */
function shellWords(command: string): string[] {
  const words: string[] = []
  let word = ''
  let quote = ''
  for (let i = 0; i < command.length; i++) {
    const mark = command[i] as string
    if (mark === '\\' && quote !== "'") {
      word += mark + (command[++i] ?? '')
    } else if (quote === '' && mark === ' ') {
      if (word !== '') words.push(word)
      word = ''
    } else {
      if (quote === '' && (mark === '"' || mark === "'")) quote = mark
      else if (mark === quote) quote = ''
      word += mark
    }
  }
  if (word !== '') words.push(word)
  return words
}

/** So far back a better place to cut is looked for: after a slash or between the parts of a query. */
const lookBack = 28

function cut(word: string, firstRoom: number, restRoom: number): string[] {
  if (columns(word) <= firstRoom) return [word]
  const pieces: string[] = []
  let piece = ''
  /** Length of the piece at the last good place to cut, outside of escapes; only good where the quote is the same as now. */
  let good = { at: 0, quote: '' }
  let quote = ''
  let room = firstRoom
  const points = [...word]
  for (let i = 0; i < points.length; i++) {
    let mark = points[i] as string
    const escaped = mark === '\\' && quote !== "'"
    if (escaped) mark += points[++i] ?? ''
    // One column more inside single quotes: the quote that is closed before the backslash.
    if (columns(piece) + columns(mark) > room - (quote === "'" ? 1 : 0)) {
      const at = good.quote === quote && good.at > piece.length - lookBack && good.at > 1 ? good.at : piece.length
      const [ends, starts] = quote === "'" ? ["'", "'"] : ['', '']
      pieces.push(piece.slice(0, at) + ends)
      piece = starts + piece.slice(at)
      good = { at: 0, quote: '' }
      room = restRoom
    }
    if (!escaped && quote === '' && (mark === '"' || mark === "'")) quote = mark
    else if (!escaped && mark === quote) quote = ''
    piece += mark
    if (!escaped && '/&,'.includes(mark)) good = { at: piece.length, quote }
  }
  pieces.push(piece)
  return pieces
}
