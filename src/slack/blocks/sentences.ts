/** Headline, answers, facts and small print: what is read first. */
import type { Block, Part, Text } from '../../report/message.ts'
import { plain } from '../../report/plain.ts'
import { limits } from '../limits.ts'
import type { Piece, SlackBlock } from './piece.ts'
import { nothing } from './piece.ts'
import { elements, lines, richText, section } from './rich-text.ts'
import { andMore, fitting } from './room.ts'
import { cut, length, mrkdwn, parts } from './text.ts'

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

/** Beside the words, which say the same: colour alone tells nothing to whoever cannot see it. */
const signs: Partial<Record<Of<'headline'>['tone'], string>> = { bad: '🔴 ', good: '🟢 ', unsure: '🟡 ' }

export function headline({ text, tone, below }: Of<'headline'>): Piece {
  const says: readonly Part[] = [signs[tone] ?? '', ...parts(text)].filter((part) => part !== '')
  const under = below === null ? [] : parts(below)
  if (says.length === 0) return nothing
  return {
    need: Math.min(limits.block, length(says) + length(under)),
    first: true,
    count: 2,
    in: (room) => {
      const top = title(cut(says, Math.min(room, limits.row)))
      const rest = cut(under, Math.max(limits.header, Math.min(room - length(says), limits.block - limits.row)))
      return under.length === 0 ? [top] : [top, richText([section(elements(rest))])]
    },
  }
}

function title(says: readonly Part[]): SlackBlock {
  const text = plain(says)
  if (text.length > limits.header) return richText([section(elements(says, { bold: true }))])
  return { type: 'header', text: { type: 'plain_text', text, emoji: false } }
}

/** Answers to fixed questions, a line each, the question in bold. */
export function answers(rows: readonly { readonly label: string; readonly text: Text }[]): Piece {
  const all = rows.map(({ label, text }): Row => ({ label: cut(parts(label), limits.title), text: cut(parts(text), limits.row) }))
  const said = all.filter(({ text }) => text.length > 0)
  if (said.length === 0) return nothing
  return {
    need: Math.min(
      limits.block,
      said.reduce((sum, row) => sum + rowLength(row) + 1, 0),
    ),
    first: true,
    count: 1,
    in: (room) => {
      const { shown, left } = fitting(said, rowLength, Math.min(room, limits.block))
      const written = shown.map(rowElements)
      const more = left === 0 ? [] : [elements([andMore(left)])]
      return [richText([lines([...written, ...more])])]
    },
  }
}

interface Row {
  readonly label: readonly Part[]
  readonly text: readonly Part[]
}

const rowLength = ({ label, text }: Row): number => length(label) + length(text) + 2

function rowElements({ label, text }: Row): ReturnType<typeof elements> {
  return label.length === 0 ? elements(text) : [...elements(label, { bold: true }), ...elements(['  ']), ...elements(text)]
}

/** One block of small letters with a line for each row; where nothing but text is in it, nothing in it can be a format. */
export function small(rows: readonly Text[]): Piece {
  // Escaped, a character becomes up to five: a row still fits.
  const all = rows.map((row) => cut(parts(row), limits.smallRow)).filter((row) => row.length > 0)
  if (all.length === 0) return nothing
  const written = (row: readonly Part[]): number => mrkdwn(row).length
  return {
    need: Math.min(
      limits.block,
      all.reduce((sum, row) => sum + written(row) + 1, 0),
    ),
    first: true,
    count: 1,
    in: (room) => {
      const { shown, left } = fitting(all, written, Math.min(room, limits.block))
      const more = left === 0 ? [] : [[andMore(left)]]
      const kept = [...shown, ...more]
      const bare = kept.every((row) => row.every((part) => typeof part === 'string'))
      const text = kept.map((row) => (bare ? plain(row) : mrkdwn(row))).join('\n')
      const element = bare ? ({ type: 'plain_text', text, emoji: false } as const) : ({ type: 'mrkdwn', text, verbatim: true } as const)
      return [{ type: 'context', elements: [element] }]
    },
  }
}
