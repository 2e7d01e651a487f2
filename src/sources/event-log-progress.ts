/** The lines of an event log that tell of streaming queries. Offsets are JSON inside JSON there, and rates are missing. */
import type { EvidenceEvent, OffsetsByTopic } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'
import { kafkaOffsets, mergeByTopic } from './checkpoint-files.ts'
import { isObject, parse } from './delta-actions.ts'

export const STREAMING_EVENT = 'StreamingQueryListener$Query'

export interface StreamingLine {
  readonly query: string
  readonly name: string | null
  readonly sighting?: BatchSighting
  /** Epoch seconds. */
  readonly event?: EvidenceEvent
}

const SOURCE = 'event-log'

/** null for a line that tells nothing (idle events included) or is not whole. */
export function parseStreamingLine(line: string): StreamingLine | null {
  const body = parse(line)
  const kind = typeof body?.Event === 'string' ? body.Event : ''
  if (body === null) return null
  if (kind.endsWith('QueryProgressEvent')) return isObject(body.progress) ? progressOf(body.progress) : null
  const id = body.id
  if (typeof id !== 'string') return null
  const name = typeof body.name === 'string' ? body.name : null
  const run = typeof body.runId === 'string' ? body.runId : ''
  const at = typeof body.timestamp === 'string' ? Date.parse(body.timestamp) / 1000 : Number.NaN
  if (kind.endsWith('QueryStartedEvent') && Number.isFinite(at)) {
    return { query: id, name, event: { at, kind: 'app_started', text: `query ${name ?? id} started (run ${run})`, source: SOURCE } }
  }
  if (kind.endsWith('QueryTerminatedEvent') && typeof body.exception === 'string') {
    // The event has no time of its own; the caller places it after the last progress.
    return {
      query: id,
      name,
      event: { at: Number.NaN, kind: 'app_failed', text: `query ended: ${firstLine(body.exception)}`, source: SOURCE },
    }
  }
  return null
}

function progressOf(progress: Readonly<Record<string, unknown>>): StreamingLine | null {
  const { id: query, runId: run, batchId: id } = progress
  const start = typeof progress.timestamp === 'string' ? Date.parse(progress.timestamp) : Number.NaN
  if (typeof query !== 'string' || typeof id !== 'number' || Number.isNaN(start)) return null
  const phasesMs = numbersOf(progress.durationMs)
  const name = typeof progress.name === 'string' ? progress.name : null
  // A trigger that found nothing to do reports the next batch's number, before Spark 3.5.
  if (phasesMs.addBatch === undefined) return { query, name }
  const sources = objectsOf(progress.sources)
  const states = objectsOf(progress.stateOperators)
  const ends = sources
    .map((source) => (typeof source.endOffset === 'string' ? kafkaOffsets(source.endOffset) : null))
    .filter((end) => end !== null)
  const watermark = isObject(progress.eventTime) ? progress.eventTime.watermark : undefined
  const watermarkMs = typeof watermark === 'string' ? Date.parse(watermark) : 0
  const toOffset: OffsetsByTopic | null = ends.length === 0 ? null : mergeByTopic(ends)
  return {
    query,
    name,
    sighting: {
      id,
      query,
      ...(typeof run === 'string' ? { run } : {}),
      triggerStartMs: start,
      phasesMs,
      ...(toOffset === null ? {} : { toOffset }),
      ...(watermarkMs > 0 ? { watermarkMs } : {}),
      ...totalOf('rows', sources, 'numInputRows'),
      ...totalOf('stateRows', states, 'numRowsTotal'),
      ...totalOf('stateBytes', states, 'memoryUsedBytes'),
      ...totalOf('lateRows', states, 'numRowsDroppedByWatermark'),
    },
  }
}

function totalOf<K extends 'rows' | 'stateRows' | 'stateBytes' | 'lateRows'>(
  field: K,
  parts: readonly Readonly<Record<string, unknown>>[],
  name: string,
): Partial<Record<K, number>> {
  const values = parts.map((part) => part[name]).filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
  return values.length === 0 ? {} : ({ [field]: values.reduce((sum, value) => sum + value, 0) } as Partial<Record<K, number>>)
}

function numbersOf(value: unknown): Record<string, number> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}

function objectsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
