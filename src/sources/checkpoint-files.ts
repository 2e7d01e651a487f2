/**
 * The two logs of a query's checkpoint, as text: `offsets/N` is written before batch N runs, `commits/N` after it. Header `v1` has one
 * line a source in plan order; `v2` (Spark 4.2 with offsetLog.formatVersion 2) one line `sourceId:<json>`.
 */
import type { OffsetsByTopic } from '../incident/evidence.ts'

export interface OffsetsFile {
  /** batchTimestampMs: the trigger's start plus latestOffset. */
  readonly plannedAtMs: number | null
  readonly watermarkMs: number | null
  /** Kafka sources, merged by topic: the next offset to read. null = none of the sources is Kafka. */
  readonly toOffset: OffsetsByTopic | null
  readonly sources: number
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string }

export function parseOffsetsFile(text: string): Parsed<OffsetsFile> {
  const lines = text.split('\n').map((line) => line.trim())
  const version = lines[0] ?? ''
  if (version === '') return { ok: false, why: 'it is empty' }
  if (version !== 'v1' && version !== 'v2')
    return { ok: false, why: /^v\d+$/.test(version) ? `its format ${version} is not known` : 'it does not begin with a version' }
  const header = jsonObject(lines[1] ?? '')
  if (header === null) return { ok: false, why: 'its header is not whole' }
  const bodies = lines.slice(2).filter((line) => line !== '')
  const offsets = bodies.map((line) => kafkaOffsets(version === 'v2' ? afterSourceId(line) : line))
  const kafka = offsets.filter((entry) => entry !== null)
  return {
    ok: true,
    value: {
      plannedAtMs: positive(header.batchTimestampMs),
      watermarkMs: positive(header.batchWatermarkMs),
      toOffset: kafka.length === 0 ? null : mergeByTopic(kafka),
      sources: bodies.length,
    },
  }
}

/** `{"id":"<query id>"}` */
export function parseQueryId(text: string): string | null {
  const id = jsonObject(text.trim())?.id
  return typeof id === 'string' && id !== '' ? id : null
}

function afterSourceId(line: string): string {
  const at = line.indexOf(':')
  return line.startsWith('{') || at < 0 ? line : line.slice(at + 1)
}

/** `{"topic":{"0":123}}`; null for the offsets of other sources (a number, a file log) and for `-`, "no data yet". */
export function kafkaOffsets(line: string): Record<string, Record<string, number>> | null {
  const object = jsonObject(line)
  if (object === null) return null
  const topics: Record<string, Record<string, number>> = {}
  for (const [topic, partitions] of Object.entries(object)) {
    if (typeof partitions !== 'object' || partitions === null || Array.isArray(partitions)) return null
    const ends: Record<string, number> = {}
    for (const [partition, end] of Object.entries(partitions)) {
      if (!/^\d+$/.test(partition) || typeof end !== 'number') return null
      // A broker that does not answer has been seen to give -1001.
      if (end >= 0) ends[partition] = end
    }
    topics[topic] = ends
  }
  return Object.keys(topics).length === 0 ? null : topics
}

/** Two sources may read the same topic: the one that is behind tells how far the work is. */
export function mergeByTopic(sources: readonly Record<string, Record<string, number>>[]): OffsetsByTopic {
  const merged: Record<string, Record<string, number>> = {}
  for (const source of sources) {
    for (const [topic, ends] of Object.entries(source)) {
      const known = merged[topic] ?? {}
      merged[topic] = known
      for (const [partition, end] of Object.entries(ends)) known[partition] = Math.min(known[partition] ?? end, end)
    }
  }
  return merged
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
