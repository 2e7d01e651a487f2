import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the work has ended in whatever way, or after so long. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const end = (): void => timer.abort()
  work.then(end, end)
  await sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)
}
