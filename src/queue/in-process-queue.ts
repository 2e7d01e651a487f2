/** The queue in one process, for a look at Headwater without Redis and for tests on a hand-set clock: jobs are lost on exit. */
import type { Clock } from '../workflow/clock.ts'
import type { Handle, Job, Queue } from '../workflow/incident-ports.ts'
import { attempt } from './attempt.ts'
import type { AtOnce, Lane } from './lanes.ts'
import { laneNames, laneOf } from './lanes.ts'
import type { Pauses } from './pause.ts'
import { pauseMs, usualPauses } from './pause.ts'
import type { Trouble } from './trouble.ts'
import { troubleOf } from './trouble.ts'

/** Keys of ended jobs that are remembered. */
const mostEnded = 10_000

interface Place {
  readonly job: Job
  dueAtMs: number
  failures: number
  running: AbortController | null
}

export interface InProcessOptions {
  readonly clock: Clock
  readonly atOnce: AtOnce
  readonly troubled: (trouble: Trouble) => void
  readonly pauses?: Pauses
}

export function inProcessQueue({ clock, atOnce, troubled, pauses = usualPauses }: InProcessOptions): Queue {
  const places = new Map<string, Place>()
  const ended = new Set<string>()
  let handle: Handle | null = null
  let closing = false
  let wake = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  const nudge = (): void => {
    wake.abort()
    wake = new AbortController()
  }
  const running = (): Place[] => [...places.values()].filter((place) => place.running !== null)
  /** The waiting job that is due first in a lane that has room. */
  const next = (): Place | undefined => {
    const busy = running().map(({ job }) => laneOf(job.kind))
    const hasRoom = (lane: Lane): boolean => busy.filter((one) => one === lane).length < atOnce[lane]
    const open = new Set(laneNames.filter(hasRoom))
    let first: Place | undefined
    for (const place of places.values()) {
      if (place.running !== null || !open.has(laneOf(place.job.kind))) continue
      if (first === undefined || place.dueAtMs < first.dueAtMs) first = place
    }
    return first
  }

  const end = (key: string): void => {
    places.delete(key)
    ended.add(key)
    for (const old of ended) {
      if (ended.size <= mostEnded) break
      ended.delete(old)
    }
  }

  const run = async (place: Place, controller: AbortController): Promise<void> => {
    const ending = await attempt(() => handle!(place.job, controller.signal), controller.signal)
    place.running = null
    if (ending.kind === 'done') {
      if (ending.againMs === null) end(place.job.key)
      else place.dueAtMs = ending.againMs
    }
    if (ending.kind === 'failed') {
      troubled(troubleOf(place.job.key, ending.error, ending.again))
      if (!ending.again) end(place.job.key)
      place.failures++
      place.dueAtMs = clock.nowMs() + pauseMs(place.failures, pauses)
    }
    nudge()
  }

  const work = async (): Promise<void> => {
    while (!closing) {
      const place = next()
      const waitMs = place === undefined ? Number.POSITIVE_INFINITY : place.dueAtMs - clock.nowMs()
      if (place === undefined || waitMs > 0) {
        await idle(waitMs)
        continue
      }
      place.running = new AbortController()
      void run(place, place.running)
    }
  }

  /** Until the time has passed or something happened. */
  const idle = (waitMs: number): Promise<void> => {
    const { signal } = wake
    if (Number.isFinite(waitMs)) return clock.wait(waitMs, signal)
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  }

  return {
    async add(jobs) {
      for (const job of jobs) {
        if (places.has(job.key) || ended.has(job.key)) continue
        places.set(job.key, { job, dueAtMs: job.dueAtMs, failures: 0, running: null })
      }
      nudge()
    },
    async work(handler) {
      handle = handler
      loop = work()
    },
    async close(graceMs) {
      closing = true
      nudge()
      await loop
      const until = clock.nowMs() + graceMs
      while (running().length > 0 && clock.nowMs() < until) await clock.wait(until - clock.nowMs(), wake.signal)
      for (const place of running()) place.running?.abort()
      while (running().length > 0) await idle(Number.POSITIVE_INFINITY)
    },
  }
}
