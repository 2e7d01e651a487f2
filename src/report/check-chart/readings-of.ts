/** What several looks read of one measure, as one line: where two looks overlap the newer one is believed. */
import type { Look } from '../../proposal/grounds.ts'
import type { Term, TermName } from '../../proposal/terms.ts'
import { terms } from '../../proposal/terms.ts'
import { median } from '../../timeline/robust.ts'
import type { Hole } from '../chart/holes.ts'
import type { ShownWindow } from '../chart/shown-window.ts'

export interface DrawnReading {
  /** Epoch seconds. */
  readonly t: number
  readonly v: number
  /** false = of a cold batch, which judges nothing. */
  readonly counts: boolean
}

export interface Readings {
  readonly points: readonly DrawnReading[]
  /** Stretches that no look reached, epoch seconds. */
  readonly holes: readonly Hole[]
  /** Points further apart than this are not joined, s. */
  readonly apart: number
}

/** A reading at the end of the one before it. */
const same = 0.5
/** Further apart than so many times the usual distance, and than a long batch takes (s), nothing joins two readings. */
const tooFar = { times: 6, seconds: 120 } as const
/** A shorter stretch between two looks is not worth a word, s. */
const shortestHole = 30

/** @param looks oldest first @param window epoch seconds */
export function readingsOf(name: TermName, looks: readonly Look[], window: ShownWindow): Readings {
  const term: Term = terms[name]
  const points: DrawnReading[] = []
  const reached: Hole[] = []
  let until = Number.POSITIVE_INFINITY
  for (const look of looks.toReversed()) {
    const { zeroS, now } = look.timeline
    const warm = new Set(term.read(look, Number.NEGATIVE_INFINITY).map(({ at }) => at))
    const own = term.read(look, Number.NEGATIVE_INFINITY, true).map(({ at, value }) => ({ t: at + zeroS, v: value, counts: warm.has(at) }))
    const first = own[0]?.t
    if (first === undefined) continue
    points.unshift(...own.filter(({ t }) => t < until - same))
    reached.unshift({ from: first, to: zeroS + now })
    until = Math.min(until, first)
  }
  const shown = points.filter(({ t }) => t >= window.from && t <= window.to)
  const distances = shown.slice(1).map(({ t }, i) => t - (shown[i] as DrawnReading).t)
  const apart = Math.max(tooFar.seconds, distances.length === 0 ? 0 : tooFar.times * median(distances))
  return { points: shown, holes: between(reached, window), apart }
}

/** @param reached in order of their beginning */
function between(reached: readonly Hole[], { from, to }: ShownWindow): Hole[] {
  const holes: Hole[] = []
  let at = from
  for (const stretch of [...reached, { from: to, to }]) {
    if (stretch.from - at > shortestHole) holes.push({ from: at, to: Math.min(to, stretch.from) })
    at = Math.max(at, stretch.to)
  }
  return holes.filter((hole) => hole.to > hole.from)
}
