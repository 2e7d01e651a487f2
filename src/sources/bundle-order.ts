/**
 * The one order in which evidence stands in a bundle. Sources answer in any order and people list series as they like; the same
 * evidence must still be the same bytes and, because sums of floating point numbers depend on their order, the same verdict.
 */
import type { Batch, Clock, Commit, Entity, Evidence, EvidenceEvent, Gap, Series } from '../incident/evidence.ts'

/** @returns the same evidence with every list in order; topics keep theirs (the first is the one asked about) */
export function inOrder(evidence: Evidence): Evidence {
  return {
    ...evidence,
    ...(evidence.clocks === undefined ? {} : { clocks: evidence.clocks.toSorted(by<Clock>((c) => [c.source, c.skew_bound_s])) }),
    series: evidence.series.toSorted(by<Series>((s) => [s.signal, ...entityKey(s.entity), s.source, s.clock, s.t[0], s.t.length])),
    batches: evidence.batches.toSorted(by<Batch>((b) => [b.id, b.start, b.end, b.run])),
    commits: evidence.commits.toSorted(by<Commit>((c) => [c.version, c.at])),
    events: evidence.events.toSorted(by<EvidenceEvent>((e) => [e.at, e.kind, ...entityKey(e.entity ?? {}), e.text, e.source])),
    gaps: evidence.gaps.toSorted(by<Gap>((g) => [g.source, g.signal, g.from, g.to, g.reason])),
  }
}

type Key = readonly (string | number | boolean | null | undefined)[]

const entityNames = [
  'topic',
  'group',
  'member',
  'broker',
  'host',
  'executor',
  'container',
  'operator',
  'app',
  'client',
  'table',
  'partition',
] as const

function entityKey(entity: Entity): Key {
  return entityNames.map((name) => entity[name])
}

/** Orders by the key; what has equal keys, by its whole text, so that the order of arrival never shows. */
function by<T>(key: (value: T) => Key): (a: T, b: T) => number {
  return (a, b) => {
    const [x, y] = [key(a), key(b)]
    for (const i of x.keys()) {
      const order = compare(x[i], y[i])
      if (order !== 0) return order
    }
    return compare(JSON.stringify(a), JSON.stringify(b))
  }
}

/** Nothing before numbers before texts. */
function compare(a: Key[number], b: Key[number]): number {
  const rank = (value: Key[number]) => (value === undefined || value === null ? 0 : typeof value === 'string' ? 2 : 1)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a === b || rank(a) === 0) return 0
  return a! < b! ? -1 : 1
}
