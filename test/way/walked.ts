/** What a run of the way was, and how it is told. */
import type { LookRecord } from '../../src/demo/story.ts'

export const endings = ['recovered', 'not-fixed'] as const
/** recovered: what was agreed is turned; not-fixed: something else is. */
export type Ending = (typeof endings)[number]

export interface Walked {
  readonly ending: Ending
  /** Body of the alert, as it was sent. */
  readonly alert: Readonly<Record<string, unknown>>
  /** The pipeline as configured, without people, channels and alerts. */
  readonly described: Readonly<Record<string, unknown>>
  readonly triggerMs: number
  /** Epoch ms. */
  readonly moments: {
    readonly alertMs: number
    /** The verdict stood in the channel. */
    readonly verdictMs: number
    readonly approvedMs: number
    /** Whoever operates the query began. */
    readonly turnedMs: number
    readonly appliedMs: number
    readonly outcomeMs: number
  }
  readonly turned: { readonly agreed: string; readonly really: string; readonly right: boolean }
  /** The recovery check's own word. */
  readonly outcome: string
  readonly checks: readonly { readonly what: string; readonly holds: boolean; readonly saw: string }[]
  /** PNGs: the chart of the home message, then those of the thread. */
  readonly pictures: readonly Uint8Array[]
  /** All words of the home message and of each reply, as they stood at the end. */
  readonly texts: readonly string[]
  readonly looks: readonly LookRecord[]
}

/** As people read it, not as the product names it inside. */
const sentences: Readonly<Record<string, string>> = {
  recovered: 'recovered, as the change predicted',
  moved: 'the pressure moved to another place',
  no_effect: 'the change had no effect',
  worse: 'it became worse after the change',
  not_applied: 'the change is not to be seen in the pipeline',
  by_itself: 'recovered, but not by the change',
  cannot_tell: 'whether it recovered cannot be told',
}

export const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())

/** The outcome that one of the texts tells; null = none does yet. */
export function outcomeIn(texts: readonly string[]): string | null {
  return (
    Object.entries(sentences).find(([, sentence]) =>
      texts.some((text) => linesOf(text).some((line) => line.endsWith(`: ${sentence}`))),
    )?.[0] ?? null
  )
}
