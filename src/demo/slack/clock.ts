/** The stand-in's time. In the demo it is the machine's; a test sets it by hand, so that 30 minutes pass in no time. */

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** @returns true once so many ms have passed; false = `signal` aborted or the clock was stopped before */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<boolean>
  /** Ends every sleep. */
  readonly stop: () => void
}

export interface HandSetClock extends Clock {
  /**
   * Moves time on, waking sleepers in the order of their times and letting each act before the next one wakes. A call over the wire
   * takes real time: wait for what it does before moving past a deadline that it should keep.
   */
  readonly advance: (ms: number) => Promise<void>
}

export function machineClock(): Clock {
  const stopping = new AbortController()
  return {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const signals = signal === undefined ? [stopping.signal] : [stopping.signal, signal]
        if (signals.some((one) => one.aborted)) return resolve(false)
        const end = (came: boolean): void => {
          clearTimeout(timer)
          for (const one of signals) one.removeEventListener('abort', ended)
          resolve(came)
        }
        const ended = (): void => end(false)
        const timer = setTimeout(() => end(true), ms)
        for (const one of signals) one.addEventListener('abort', ended)
      }),
    stop: () => stopping.abort(),
  }
}

interface Sleeper {
  readonly dueMs: number
  readonly wake: (came: boolean) => void
}

/** @param startMs the first time it shows, ms since 1970 */
export function handSetClock(startMs: number): HandSetClock {
  let nowMs = startMs
  let stopped = false
  let sleepers: readonly Sleeper[] = []
  const rouse = (which: readonly Sleeper[], came: boolean): void => {
    sleepers = sleepers.filter((one) => !which.includes(one))
    for (const one of which) one.wake(came)
  }
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (stopped || signal?.aborted === true) return resolve(false)
        const sleeper: Sleeper = { dueMs: nowMs + ms, wake: resolve }
        sleepers = [...sleepers, sleeper]
        signal?.addEventListener('abort', () => rouse([sleeper], false), { once: true })
      }),
    async advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        await letOthersAct()
        const due = sleepers.filter((one) => one.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0]
        if (due === undefined) break
        nowMs = Math.max(nowMs, due.dueMs)
        rouse([due], true)
      }
      nowMs = untilMs
    },
    stop() {
      stopped = true
      rouse(sleepers, false)
    },
  }
}

/** A few turns of the event loop: enough for promises and for a message over loopback. */
async function letOthersAct(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
