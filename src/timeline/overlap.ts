/**
 * Overlap without duplicates: every look re-reads a little of the past, and two looks may see the same thing. Readings are merged by
 * what identifies them (series and time, version, text), and the result does not depend on which look came first.
 */

import { canonical, distinct } from '../incident/canonical.ts'
import type { Clock, Commit, EvidenceEvent, Gap, Series, Topic } from '../incident/evidence.ts'
import { sinceZero } from './rebase.ts'

/** Signals whose values are instants, too. */
const VALUE_IS_TIME: ReadonlySet<string> = new Set(['partition.complete_to', 'partition.event_time_max', 'event_time.watermark'])

/** Series of one signal, thing, source and clock as one, in time order; times (and values that are times) since window.from. */
export function mergeSeries(series: readonly Series[], zeroS: number): Series[] {
  const byKey = new Map<string, Series[]>()
  for (const one of series) {
    const key = canonical([one.signal, one.entity, one.source, one.clock ?? 'arrival'])
    const group = byKey.get(key)
    if (group) group.push(one)
    else byKey.set(key, [one])
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => mergeGroup(group, zeroS))
}

function mergeGroup(group: readonly Series[], zeroS: number): Series {
  const [first] = group as readonly [Series, ...Series[]]
  const isTime = VALUE_IS_TIME.has(first.signal)
  const points = new Map<number, number | null>()
  for (const { t, v } of group) {
    for (let i = 0; i < t.length; i++) {
      const at = sinceZero(t[i] as number, zeroS)
      const raw = v[i] ?? null
      points.set(at, better(points.get(at), raw !== null && isTime ? sinceZero(raw, zeroS) : raw))
    }
  }
  const t = [...points.keys()].sort((a, b) => a - b)
  const periods = group.flatMap((one) => (one.period_s === undefined ? [] : [one.period_s]))
  return {
    signal: first.signal,
    entity: first.entity,
    source: first.source,
    ...(periods.length === 0 ? {} : { period_s: Math.min(...periods) }),
    ...(first.clock === undefined ? {} : { clock: first.clock }),
    t,
    v: t.map((at) => points.get(at) ?? null),
  }
}

/** An answer is better than none; of two answers for one instant the larger, so that their order cannot matter. */
function better(known: number | null | undefined, other: number | null): number | null {
  if (known === undefined || known === null) return other
  return other === null ? known : Math.max(known, other)
}

/** Commits by version: each field from whichever look read it. */
export function mergeCommits(commits: readonly Commit[], zeroS: number): Commit[] {
  const byVersion = new Map<number, Commit>()
  for (const commit of distinct(commits)) byVersion.set(commit.version, known(byVersion.get(commit.version), commit))
  return [...byVersion.values()]
    .sort((a, b) => a.version - b.version)
    .map((commit) => ({
      ...commit,
      at: sinceZero(commit.at, zeroS),
      ...timeField(commit, 'max_event_time', zeroS),
      ...timeField(commit, 'min_event_time', zeroS),
      ...timeField(commit, 'seen', zeroS),
    }))
}

function known(a: Commit | undefined, b: Commit): Commit {
  if (a === undefined) return b
  const filled = Object.entries(b).filter(([, value]) => value !== null && value !== undefined)
  return { ...a, ...(Object.fromEntries(filled) as Partial<Commit>) }
}

function timeField<K extends 'max_event_time' | 'min_event_time' | 'seen'>(
  commit: Commit,
  field: K,
  zeroS: number,
): Partial<Record<K, number>> {
  const value = commit[field]
  return typeof value === 'number' ? ({ [field]: sinceZero(value, zeroS) } as Partial<Record<K, number>>) : {}
}

/** The same event seen at two looks is one, learned of at the first. */
export function mergeEvents(events: readonly EvidenceEvent[], zeroS: number): EvidenceEvent[] {
  const byText = new Map<string, EvidenceEvent>()
  for (const event of events) {
    const { seen, ...what } = { ...event, at: sinceZero(event.at, zeroS) }
    const key = canonical(what)
    const seens = [byText.get(key)?.seen, seen === undefined ? undefined : sinceZero(seen, zeroS)].filter((s) => s !== undefined)
    byText.set(key, { ...what, ...(seens.length === 0 ? {} : { seen: Math.min(...seens) }) })
  }
  return inOrder([...byText.values()])
}

/** By time; of one moment in canonical order. */
export function inOrder(events: readonly EvidenceEvent[]): EvidenceEvent[] {
  const keyed = events.map((event) => ({ event, text: canonical(event) }))
  return keyed.sort((a, b) => a.event.at - b.event.at || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)).map(({ event }) => event)
}

export function mergeGaps(gaps: readonly Gap[], zeroS: number): Gap[] {
  const rebased = gaps.map((gap) => ({
    ...gap,
    ...(gap.from === undefined ? {} : { from: sinceZero(gap.from, zeroS) }),
    ...(gap.to === undefined ? {} : { to: sinceZero(gap.to, zeroS) }),
  }))
  const place = (gap: Gap) => canonical([gap.source, gap.signal ?? '', gap.reason])
  return distinct(rebased).sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : (a.from ?? 0) - (b.from ?? 0)))
}

/** One per source: the widest bound, and the closest measurement. */
export function mergeClocks(clocks: readonly Clock[]): Clock[] {
  const bySource = Map.groupBy(distinct(clocks), (clock) => clock.source)
  return [...bySource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, some]) => {
      const measured = some.filter((clock) => clock.ahead_s !== undefined)
      const closest = measured.sort((a, b) => (a.ahead_error_s ?? a.skew_bound_s) - (b.ahead_error_s ?? b.skew_bound_s))[0]
      return { ...closest, source, skew_bound_s: Math.max(...some.map((clock) => clock.skew_bound_s)) }
    })
}

export function mergeTopics(topics: readonly Topic[]): Topic[] {
  const byName = new Map<string, Topic>()
  for (const topic of distinct(topics)) {
    const merged = { ...byName.get(topic.name), ...topic }
    const partitions = Math.max(byName.get(topic.name)?.partitions ?? 0, topic.partitions ?? 0)
    byName.set(topic.name, partitions > 0 ? { ...merged, partitions } : merged)
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
