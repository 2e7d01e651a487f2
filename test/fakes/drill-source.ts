/**
 * A kept drill of a real rig as a source: it tells what was seen then as if it were seen now. What is judged is what it brings home, as with
 * any other source.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Batch, Evidence } from '../../src/incident/evidence.ts'
import type { BatchSighting, Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import type { Source } from '../../src/workflow/ports.ts'

/** How long each of the two looks takes, ms. */
export interface DrillLooks {
  readonly first: number
  readonly second: number
}

/** @param drill e.g. "hot_partition-live-3" */
export function drillSource(drill: string, takes: DrillLooks = { first: 0, second: 0 }): Source {
  const evidence = readBundle(readFileSync(join(import.meta.dirname, '../drills', `${drill}.json.gz`)))
  const rest = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined)
  return {
    name: 'recorded',
    applies: () => true,
    absent: () => null,
    async collect({ askedAtMs, signal }) {
      await rest(takes.first, signal)
      return findingsAt(evidence, askedAtMs / 1000)
    },
    async lookAgain({ signal }) {
      await rest(takes.second, signal)
      return emptyFindings('recorded')
    },
  }
}

/** @param nowS epoch seconds at which the drill's own end is told to be */
function findingsAt(evidence: Evidence, nowS: number): Findings {
  const { window, pipeline, series, commits, events, gaps } = evidence
  const zero = nowS - (Date.parse(window.to) - Date.parse(window.from)) / 1000
  const { kind, query, slots } = pipeline.reader
  return emptyFindings('recorded', {
    series: series.map((one) => ({ ...one, t: one.t.map((at) => at + zero) })),
    sightings: evidence.batches.map((batch) => sighting(batch, zero)),
    commits: commits.map((commit) => moved(commit, zero, ['at', 'seen', 'max_event_time', 'min_event_time'])),
    events: events.map((event) => moved(event, zero, ['at', 'seen'])),
    gaps: gaps.map((gap) => moved(gap, zero, ['from', 'to'])),
    topics: pipeline.topics,
    reader: { kind, ...(query === undefined ? {} : { query }), ...(slots === undefined ? {} : { slots }) },
    sink: pipeline.sink ?? {},
  })
}

function sighting({ id, start, end, duration_ms: phases, to_offset: toOffset, rows, stages, run }: Batch, zero: number): BatchSighting {
  const at = (t: number): number => Math.round((t + zero) * 1000)
  return {
    id,
    triggerStartMs: at(start),
    plannedAtMs: at(start) + (phases?.latestOffset ?? 0),
    committedMs: end === null ? null : at(end),
    ...(phases === undefined ? {} : { phasesMs: phases }),
    ...(toOffset == null ? {} : { toOffset }),
    ...(typeof rows === 'number' ? { rows } : {}),
    ...(stages === undefined ? {} : { stages: stages.map((stage) => moved(stage, zero, ['seen_at'])) }),
    ...(run === undefined ? {} : { run }),
  }
}

/** The fields that hold an instant rise by `by`; what is absent or null stays so. */
function moved<T extends object>(value: T, by: number, fields: readonly (keyof T)[]): T {
  const rises = fields.flatMap((field) => (typeof value[field] === 'number' ? [[field, value[field] + by] as const] : []))
  return { ...value, ...Object.fromEntries(rises) }
}
