/**
 * One line for each delivery; of the same refusal at most one a second, with how many like it were left out before, so that whoever
 * tries a door a thousand times a second fills no disk.
 */
import type { Log } from '../log.ts'
import type { Outcome } from './webhook.ts'

/** A second, ms. */
const silenceMs = 1_000

/** @param nowMs any clock that only rises */
export function createWebhookLog(log: Log, nowMs: () => number): (format: string, outcome: Outcome, seconds: number) => void {
  const silent = new Map<string, { untilMs: number; count: number }>()
  return (format, { name, why, taken, error }, seconds) => {
    if (taken !== undefined) {
      const { kind: _, ...counts } = taken
      log.info('alerts stored', { format, ...counts, ms: Math.round(seconds * 1000) })
      if (taken.omitted > 0) log.warn('the sender left alerts out of a delivery; raise its max_alerts', { format, omitted: taken.omitted })
      return
    }
    const key = `${format} ${name} ${why}`
    const before = silent.get(key)
    if (before !== undefined && nowMs() < before.untilMs) {
      before.count++
      return
    }
    silent.set(key, { untilMs: nowMs() + silenceMs, count: 0 })
    log.warn('webhook refused', { format, outcome: name, why, alike: before?.count ?? 0, ...(error === undefined ? {} : { err: error }) })
  }
}
