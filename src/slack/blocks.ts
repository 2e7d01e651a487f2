/**
 * The message model as Slack's blocks. What is too long for Slack is cut where it hurts least (evidence before answers), and how much was
 * left out is said where it was.
 */
import type { Block, Message } from '../report/message.ts'
import { buttons } from './blocks/buttons.ts'
import { bars, commands, list } from './blocks/lists.ts'
import type { Piece, SlackBlock } from './blocks/piece.ts'
import { nothing } from './blocks/piece.ts'
import { share } from './blocks/room.ts'
import { answers, headline, small } from './blocks/sentences.ts'
import { cutString } from './blocks/text.ts'
import { limits } from './limits.ts'

export interface BlocksOptions {
  /** Slack wants new ids in each edition of a message: ids begin with this. */
  readonly mark: string
  readonly picture: { readonly file: string; readonly alt: string } | null
  /** Characters of all blocks together. */
  readonly most: number
}

export function toBlocks(message: Message, { mark, picture, most }: BlocksOptions): SlackBlock[] {
  const pieces = message.map((block) => pieceOf(block, picture)).filter((piece) => piece.count > 0)
  const kept = fewEnough(pieces)
  const gone = pieces.length - kept.length
  const rooms = roomFor(kept, most)
  const blocks = kept.flatMap((piece) => piece.in(rooms.get(piece) ?? 0))
  if (gone > 0) blocks.push(...small([`${gone} more parts of this message are left out: it is too long for Slack.`]).in(limits.row))
  return blocks.map((block, place) => ({ ...block, block_id: `${mark}-${place}` }))
}

function pieceOf(block: Block, picture: BlocksOptions['picture']): Piece {
  switch (block.kind) {
    case 'headline':
      return headline(block)
    case 'answers':
    case 'facts':
      return answers(block.rows)
    case 'small':
      return small(block.rows)
    case 'list':
      return list(block)
    case 'bars':
      return bars(block)
    case 'commands':
      return commands(block)
    case 'buttons':
      return buttons(block.items)
    case 'picture':
      return picture === null ? nothing : shown(picture)
  }
}

function shown({ file, alt }: NonNullable<BlocksOptions['picture']>): Piece {
  const image: SlackBlock = { type: 'image', slack_file: { id: file }, alt_text: cutString(alt, limits.altText) || 'chart' }
  return { need: 0, first: true, count: 1, in: () => [image] }
}

/** One block stays free for the line that says what is missing. */
const mostBlocks = limits.blocks - 1

/** Drops from the end, and first of all what can be left out. */
function fewEnough(pieces: readonly Piece[]): readonly Piece[] {
  let room = mostBlocks
  const kept = new Set<Piece>()
  for (const first of [true, false]) {
    for (const piece of pieces) {
      if (piece.first !== first) continue
      if (piece.count > room) break
      kept.add(piece)
      room -= piece.count
    }
  }
  return pieces.filter((piece) => kept.has(piece))
}

/** Evidence has at least this part of a message that is too long, so that it does not vanish behind endless answers. */
const evidencePart = 0.3

function roomFor(pieces: readonly Piece[], most: number): ReadonlyMap<Piece, number> {
  const [first, rest] = [pieces.filter((piece) => piece.first), pieces.filter((piece) => !piece.first)]
  const needs = (some: readonly Piece[]): number[] => some.map((piece) => piece.need)
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const firstRooms = share(needs(first), most - Math.min(sum(needs(rest)), most * evidencePart))
  const restRooms = share(needs(rest), most - sum(firstRooms))
  return new Map([
    ...first.map((piece, place) => [piece, firstRooms[place]!] as const),
    ...rest.map((piece, place) => [piece, restRooms[place]!] as const),
  ])
}
