/**
 * The message model: what is said, in blocks, before anyone decides how a terminal or a chat shows it. It holds plain
 * sentences with times already in the reader's zone; untrusted text in it is cleaned by whoever writes it out.
 */
import type { Tone } from './ansi.ts'

export type Block =
  /** The one sentence to be read first. */
  | { readonly kind: 'headline'; readonly tone: Tone; readonly text: string; readonly below: string | null }
  /** Short answers to fixed questions: where, since when, how sure. */
  | { readonly kind: 'facts'; readonly rows: readonly Fact[] }
  /** Sentences of one kind, strongest first. `left` says how many were left out. */
  | {
      readonly kind: 'list'
      readonly title: string
      readonly mark: string
      readonly tone: Tone
      readonly items: readonly Item[]
      readonly left: number
    }
  /** Shares of a whole; `note` says of which. */
  | {
      readonly kind: 'bars'
      readonly title: string
      readonly note: string | null
      readonly rows: readonly { readonly label: string; readonly share: number }[]
    }
  /** Read-only commands and what they should print. */
  | { readonly kind: 'commands'; readonly title: string; readonly items: readonly Command[]; readonly left: number }

export interface Fact {
  readonly label: string
  readonly text: string
  readonly tone: Tone
}

export interface Item {
  readonly text: string
  /** A second sentence that belongs to the first, e.g. the line that would close a gap. */
  readonly note: string | null
}

export interface Command {
  /** Sentences whose number it checks end in "[number]". */
  readonly number: number
  readonly command: string
  readonly expect: readonly string[]
}

export type Message = readonly Block[]
