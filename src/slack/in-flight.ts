/** What is under way: the library stops without waiting for any of it. */
import type { Log } from '../log.ts'

export interface InFlight {
  /** Begins it now, and waits for it when the app is stopped. Never throws: what fails is logged. */
  readonly later: (work: () => Promise<unknown>) => void
  readonly during: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when nothing is under way any more, at the latest after so many ms. @returns how much still was */
  readonly idle: (graceMs: number) => Promise<number>
}

export function createInFlight(log: Log): InFlight {
  const running = new Set<Promise<unknown>>()

  function during<T>(work: () => Promise<T>): Promise<T> {
    const begun = work()
    const ended = begun.catch(() => undefined).finally(() => running.delete(ended))
    running.add(ended)
    return begun
  }

  return {
    during,
    later(work) {
      during(work).catch((error: unknown) => log.error('something that Slack asked for failed', { err: error }))
    },
    async idle(graceMs) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs)
      })
      const all = async (): Promise<void> => {
        while (running.size > 0) await Promise.all(running)
      }
      await Promise.race([all(), late])
      clearTimeout(timer)
      return running.size
    },
  }
}
