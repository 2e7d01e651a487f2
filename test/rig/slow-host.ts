// A slow host: its processes are stopped most of the time, in slices too short for any time-out to notice. Whatever they
// do, waiting or computing, takes as many times longer as their running share is small.
import type { ProcessId } from './proc.ts'
import { processStat } from './proc.ts'
import { signal } from './processes.ts'

/** One stop and one go. Far below Spark's heartbeat of 10 s; far above what a timer of Node is late by. */
const PERIOD_MS = 250
/** A replaced executor is on the slow host too; looking for it reads all of /proc. */
const LOOK_EVERY_MS = 2_000

export interface SlowHost {
  /** Lets everything run again, at once and for good. May be called from an exit handler. */
  release(): void
}

/**
 * Lets what `find` finds run only `runningShare` (0..1) of the time until `release`. Processes are told by pid and start
 * time, so a later one with the same pid is never stopped.
 */
export function slowDown(find: () => readonly ProcessId[], runningShare: number, periodMs = PERIOD_MS): SlowHost {
  const stopMs = Math.round(periodMs * (1 - runningShare))
  let processes = find()
  let lookedMs = Date.now()
  let timer: NodeJS.Timeout
  const go = (): void => {
    for (const one of processes) signal(one, 'SIGCONT')
    timer = setTimeout(stop, periodMs - stopMs)
  }
  const stop = (): void => {
    // while all of them run, so that none is forgotten in its stop
    if (Date.now() - lookedMs > LOOK_EVERY_MS) {
      processes = find()
      lookedMs = Date.now()
    }
    for (const one of processes) signal(one, 'SIGSTOP')
    timer = setTimeout(go, stopMs)
  }
  stop()
  return {
    release() {
      clearTimeout(timer)
      for (const one of processes) signal(one, 'SIGCONT')
    },
  }
}

/** Lets processes run that were left stopped, by a drill that was killed without a word. Says how many. */
export function thaw(processes: readonly ProcessId[]): number {
  return processes.filter((one) => processStat(one.pid)?.state === 'T' && signal(one, 'SIGCONT')).length
}
