/** Which sources told nothing of the time of an incident: what a reader has to know before he trusts a verdict. Partial gaps stand in the thread. */
import type { Gap } from '../../../incident/evidence.ts'
import type { SeriesName, Timeline } from '../../../timeline/timeline.ts'
import { sourceWord } from '../../source-words.ts'

/** Series that are seen only where their source was. */
const brings: Readonly<Record<string, readonly SeriesName[]>> = {
  kafka: ['intake'],
  checkpoint: ['lag'],
  spark: ['stages', 'executors'],
  'spark-ui': ['stages', 'executors'],
  delta: ['freshness'],
}

/** How far clocks are compared to each other is no source. */
const noSource = new Set(['clocks'])
/** Where no beginning is known, what was so recently is what is asked about, s. */
const recentS = 600
/** Edges of gaps are rounded, s. */
const roundedS = 1

/**
 * @param onset of the incident, seconds since window.from; null = not known
 * @returns names as people know them, in the order of the gaps
 */
export function unseenSources(gaps: readonly Gap[], timeline: Timeline, onset: readonly [number, number] | null): string[] {
  const from = Math.max(0, Math.min(onset?.[0] ?? timeline.now - recentS, timeline.now))
  const whole = gaps.filter(({ signal, source }) => signal === null && !noSource.has(source))
  const names = [...new Set(whole.map(({ source }) => source))].filter((source) => {
    const own = whole.filter((gap) => gap.source === source)
    return covered(own, from, timeline.now) && !broughtSomething(source, from, timeline)
  })
  return [...new Set(names.map(sourceWord))]
}

/** A gap without times may also mean that a part was not read, e.g. no second look: then its readings are there. */
function broughtSomething(source: string, from: number, { complete }: Timeline): boolean {
  const own = brings[source] ?? []
  return complete.some(({ series, to }) => own.includes(series) && to > from)
}

/** Whether the gaps together leave nothing of a stretch. A gap without times is all of it. */
function covered(gaps: readonly Gap[], from: number, to: number): boolean {
  let reached = from
  for (const gap of gaps.toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
    if ((gap.from ?? 0) > reached + roundedS) return false
    reached = Math.max(reached, gap.to ?? to)
  }
  return reached >= to - roundedS
}
