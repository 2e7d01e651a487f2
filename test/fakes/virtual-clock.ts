/** A clock that jumps from one awaited instant to the next as soon as nothing else can happen. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src/workflow/clock.ts'

export interface VirtualClock extends Clock {
  /** Lets time pass until the promise settles. @throws Error when it waits for something that no clock brings. */
  readonly run: <T>(promise: Promise<T>) => Promise<T>
}

export function virtualClock(startMs = 0): VirtualClock {
  let now = startMs
  const waiting = new Set<{ readonly at: number; readonly resolve: () => void }>()
  return {
    nowMs: () => now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const entry = { at: now + ms, resolve }
        waiting.add(entry)
        signal.addEventListener('abort', () => {
          waiting.delete(entry)
          resolve()
        })
      }),
    async run(promise) {
      let settled = false
      promise.then(
        () => {
          settled = true
        },
        () => {
          settled = true
        },
      )
      for (let idle = 0; !settled; ) {
        await turn()
        if (settled) break
        const next = [...waiting].toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) {
          if (++idle > 20) throw new Error('nothing is waiting for the clock, and the promise has not settled')
          continue
        }
        idle = 0
        now = Math.max(now, next.at)
        waiting.delete(next)
        next.resolve()
      }
      return promise
    },
  }
}
