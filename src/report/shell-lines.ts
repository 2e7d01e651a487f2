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

function cut(word: string, firstRoom: number, restRoom: number): string[] {
  if (columns(word) <= firstRoom) return [word]
  const pieces: string[] = []
  let piece = ''
  let quote = ''
  let room = firstRoom
  const points = [...word]
  for (let i = 0; i < points.length; i++) {
    let mark = points[i] as string
    const escaped = mark === '\\' && quote !== "'"
    if (escaped) mark += points[++i] ?? ''
    // One column more inside single quotes: the quote that is closed before the backslash.
    if (columns(piece) + columns(mark) > room - (quote === "'" ? 1 : 0)) {
      pieces.push(quote === "'" ? `${piece}'` : piece)
      piece = quote === "'" ? "'" : ''
      room = restRoom
    }
    if (!escaped && quote === '' && (mark === '"' || mark === "'")) quote = mark
    else if (!escaped && mark === quote) quote = ''
    piece += mark
  }
  pieces.push(piece)
  return pieces
}
