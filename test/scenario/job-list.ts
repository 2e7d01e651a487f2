/** The queue that outlives processes: a job is given out to one at a time, and adding it twice is adding it once, also when it is done. */
import { HeadwaterError } from '../../src/errors.ts'
import type { Job } from '../../src/workflow/incident-ports.ts'

export interface Place {
  readonly job: Job
  dueAtMs: number
  failures: number
  taken: boolean
}

export class JobList {
  readonly #places = new Map<string, Place>()
  readonly #added = new Set<string>()
  /** Jobs that ended in an error that no other try would mend. */
  readonly broken: string[] = []

  async add(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      if (this.#added.has(job.key)) continue
      this.#added.add(job.key)
      this.#places.set(job.key, { job, dueAtMs: job.dueAtMs, failures: 0, taken: false })
    }
  }

  left(): readonly Job[] {
    return [...this.#places.values()].map(({ job }) => job)
  }

  /** The one to be given out next, due or not: no message waits behind a diagnosis. */
  next(nowMs: number): Place | undefined {
    const slow = ({ job }: Place): number => (job.kind === 'diagnose' || job.kind === 'look' ? 1 : 0)
    const waiting = [...this.#places.values()].filter(({ taken }) => !taken).toSorted((a, b) => a.dueAtMs - b.dueAtMs)
    const due = waiting.filter(({ dueAtMs }) => dueAtMs <= nowMs)
    return due.toSorted((a, b) => slow(a) - slow(b))[0] ?? waiting[0]
  }

  /** A handler has come back. */
  done(place: Place, againMs: number | null): void {
    place.taken = false
    if (againMs === null) this.#places.delete(place.job.key)
    else place.dueAtMs = againMs
  }

  failed(place: Place, error: unknown, nowMs: number): void {
    place.taken = false
    if (error instanceof HeadwaterError && error.retryable) {
      place.dueAtMs = nowMs + 1_000 * 2 ** place.failures++
      return
    }
    this.broken.push(`${place.job.key}: ${String(error)}`)
    this.#places.delete(place.job.key)
  }

  /** Whoever had it is dead. */
  givenBack(place: Place, dueAtMs: number): void {
    place.taken = false
    place.dueAtMs = dueAtMs
  }

  allGivenBack(dueAtMs: number): void {
    for (const place of this.#places.values()) if (place.taken) this.givenBack(place, dueAtMs)
  }
}
