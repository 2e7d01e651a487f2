/** `/api/v1/applications`: which application runs behind this address, since when, and what the driver's clock says. */
import { entries, instantAt, numberAt, textAt } from './spark-fields.ts'

export interface SparkApplication {
  readonly id: string
  readonly name: string | null
  /** e.g. "4.1.1". */
  readonly version: string | null
  readonly startedMs: number | null
  readonly running: boolean
  /**
   * The driver's own clock when it answered, epoch ms: a running application's `duration` is taken then
   * (measured against our clock on one machine: within the round trip). Null where it is not running or not told.
   */
  readonly driverNowMs: number | null
}

/** Null = not a list of applications. Entries without an id are dropped. */
export function parseApplications(body: unknown): SparkApplication[] | null {
  const list = entries(body)
  if (list === null) return null
  return list.flatMap((entry) => {
    const id = textAt(entry, 'id')
    if (id === undefined) return []
    const attempts = entries(entry.attempts) ?? []
    const attempt = attempts.find((candidate) => candidate.completed === false) ?? attempts[0]
    const running = attempt !== undefined && attempt.completed === false
    const epoch = numberAt(attempt, 'startTimeEpoch')
    const startedMs = epoch !== undefined && epoch > 0 ? epoch : (instantAt(attempt, 'startTime') ?? null)
    const duration = numberAt(attempt, 'duration') ?? 0
    return [
      {
        id,
        name: textAt(entry, 'name') ?? null,
        version: textAt(attempt, 'appSparkVersion') ?? null,
        startedMs,
        running,
        driverNowMs: running && startedMs !== null && duration > 0 ? startedMs + duration : null,
      },
    ]
  })
}

/** The running application that started last; a live driver lists exactly one. */
export function newestRunning(applications: readonly SparkApplication[]): SparkApplication | null {
  const running = applications.filter((application) => application.running)
  return running.toSorted((a, b) => (b.startedMs ?? 0) - (a.startedMs ?? 0))[0] ?? null
}
