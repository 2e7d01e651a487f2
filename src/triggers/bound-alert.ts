/** The door through which an alert's texts come in: whatever a sender writes, what is kept has a largest size and a fixed form. */
import { createHash } from 'node:crypto'
import { clean } from '../report/clean.ts'
import type { ReportedAlert } from './formats/format.ts'

/** Labels by number, texts by characters unless bytes are named. */
export const alertBounds = { labels: 64, labelNameBytes: 256, labelBytes: 1_024, name: 200, summary: 300, url: 2_000 } as const

/** As a sender says it: no text has a limit yet. */
export interface RawAlert {
  readonly status: 'firing' | 'resolved'
  readonly fingerprint: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** The first that says something is taken. */
  readonly summaries: readonly (string | undefined)[]
  readonly urls: readonly (string | undefined)[]
  readonly startsAt: string | null
}

export function boundAlert(raw: RawAlert): ReportedAlert {
  const summary = raw.summaries.map((text) => clean(firstLine(text ?? ''))).find((text) => text !== '') ?? ''
  return {
    status: raw.status,
    fingerprint: boundFingerprint(raw.fingerprint),
    name: cut(clean(raw.name), alertBounds.name) || 'an alert without a name',
    labels: boundLabels(raw.labels),
    summary: cut(summary, alertBounds.summary),
    url: raw.urls.map(boundUrl).find((url) => url !== null) ?? null,
    startsAtMs: raw.startsAt === null ? null : instant(raw.startsAt),
  }
}

/** Hex and UUIDs stay as they are; whatever else a sender calls its alerts becomes the SHA-256 of it, so that it fits into any key. */
function boundFingerprint(written: string): string {
  if (/^[0-9a-f-]{8,64}$/i.test(written)) return written.toLowerCase()
  return createHash('sha256').update(written).digest('hex').slice(0, 32)
}

/** Sorted by name, so that two senders of the same alert are cut alike. */
function boundLabels(written: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(written)
    .filter(([name]) => name !== '' && name !== '__proto__' && Buffer.byteLength(name) <= alertBounds.labelNameBytes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, alertBounds.labels)
  return Object.fromEntries(kept.map(([name, value]) => [name.toWellFormed(), cutBytes(value.toWellFormed(), alertBounds.labelBytes)]))
}

function boundUrl(written: string | undefined): string | null {
  const url = URL.parse((written ?? '').trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.username = ''
  url.password = ''
  return url.href.length <= alertBounds.url ? url.href : null
}

/** RFC 3339 to epoch ms. null = no time: also Go's zero time, by which "not yet" is written. */
export function instant(written: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(written)) return null
  const ms = Date.parse(written)
  return Number.isNaN(ms) || ms <= 0 ? null : ms
}

const firstLine = (text: string): string => text.trim().split(/[\r\n]/, 1)[0] ?? ''

function cut(text: string, most: number): string {
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

/** Never through the middle of a character. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  return Buffer.from(text)
    .subarray(0, most)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}
