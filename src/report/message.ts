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
  /** Like facts, for a chat: labels and sentences in which times and people are what they are, not text. */
  | { readonly kind: 'answers'; readonly rows: readonly { readonly label: string; readonly text: Text }[] }
  /** Small print. */
  | { readonly kind: 'small'; readonly rows: readonly Text[] }
  /** Where the picture of the message stands, if it has one. */
  | { readonly kind: 'picture' }
  /** What its reader may press; a terminal has none. */
  | { readonly kind: 'buttons'; readonly items: readonly Pressable[] }
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
  /** Sentences whose number it checks end in "[number]"; null = none does. */
  readonly number: number | null
  readonly command: string
  readonly expect: readonly string[]
}

/**
 * Part of a sentence. Only our own code makes a time or a person; text that others wrote is always a string, so nothing in it can
 * become a mention.
 */
export type Part =
  | string
  /** An instant, epoch seconds; `plain` for whoever cannot turn it into the reader's zone. */
  | { readonly at: number; readonly plain: string }
  | { readonly person: string }
  | { readonly group: string }
  | { readonly channel: string }
  /** '' = no address, or none yet: the words alone are shown. */
  | { readonly link: string; readonly words: string }

export type Text = string | readonly Part[]

export interface Pressable {
  readonly button: 'approve' | 'decline' | 'need_more' | 'applied' | 'withdraw' | 'taken_back'
  readonly label: string
  readonly tone: 'plain' | 'good' | 'bad'
  /** What pressing it means, asked before it counts; null = it asks for more itself. */
  readonly confirm: { readonly title: string; readonly text: string } | null
  /** Incident and proposal that it speaks of: ids only, never anything to be believed. */
  readonly incident: string
  readonly hash: string
}

export type Message = readonly Block[]
