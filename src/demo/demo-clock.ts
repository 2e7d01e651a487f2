/** A clock that can run faster than the machine's, and leap: what waits through it waits accordingly. */
import type { Clock } from '../workflow/clock.ts'

export interface DemoClock extends Clock {
  /** Demo seconds in one of the machine's. */
  readonly pace: () => number
  readonly setPace: (pace: number) => void
  /** Moves on at once; a time that has passed changes nothing. */
  readonly leapTo: (atMs: number) => void
}

/** What it takes of the machine. */
export interface Machine {
  readonly nowMs: () => number
  /** @returns how to call it off */
  readonly after: (ms: number, act: () => void) => () => void
}

export const machine: Machine = {
  nowMs: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

interface Sleeper {
  readonly dueMs: number
  readonly wake: () => void
  callOff: () => void
}

/** Longest that a timer of the machine can wait, ms. */
const longestMs = 2 ** 31 - 1

/** It begins at the machine's time, at its pace. */
export function demoClock({ nowMs, after }: Machine = machine): DemoClock {
  let pace = 1
  /** The demo's time at an instant of the machine's. */
  let anchor = { demoMs: nowMs(), realMs: nowMs() }
  const sleepers = new Set<Sleeper>()
  const now = (): number => Math.floor(anchor.demoMs + (nowMs() - anchor.realMs) * pace)
  const set = (sleeper: Sleeper): void => {
    sleeper.callOff()
    const realMs = Math.max(0, Math.ceil((sleeper.dueMs - now()) / pace))
    sleeper.callOff = after(Math.min(realMs, longestMs), () => (now() >= sleeper.dueMs ? sleeper.wake() : set(sleeper)))
  }
  const turn = (demoMs: number, next: number): void => {
    anchor = { demoMs, realMs: nowMs() }
    pace = next
    for (const sleeper of sleepers) set(sleeper)
  }
  return {
    nowMs: now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = (): void => {
          sleeper.callOff()
          sleepers.delete(sleeper)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { dueMs: now() + ms, wake, callOff: () => {} }
        sleepers.add(sleeper)
        signal.addEventListener('abort', wake)
        set(sleeper)
      }),
    pace: () => pace,
    setPace: (next) => turn(now(), next),
    leapTo: (atMs) => {
      if (atMs > now()) turn(atMs, pace)
    },
  }
}
