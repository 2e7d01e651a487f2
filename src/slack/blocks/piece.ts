/** One block of the message model on its way into Slack's blocks: how much it would say, and itself in less room. */
import type { types } from '@slack/bolt'

export type SlackBlock = types.KnownBlock

export interface Piece {
  /** Characters it has to say, at most `limits.block`. */
  readonly need: number
  /** The conclusion, the answers and the buttons have their room before evidence and commands. */
  readonly first: boolean
  /** How many blocks it becomes at most. */
  readonly count: number
  /** Itself in at most so many characters. */
  readonly in: (room: number) => readonly SlackBlock[]
}

export const nothing: Piece = { need: 0, first: false, count: 0, in: () => [] }
