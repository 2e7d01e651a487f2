/** Work that starts processes: bounded in time, and what it started is ended however it ends. */
import { constants } from 'node:os'

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs `work`, then `end`: after a result, an error, `limitMs`, Ctrl-C, TERM or a closed terminal (after those three the process exits,
 * with 128 + the signal's number). `end` may be called while `work` still runs. Throws what `work` throws, or that it took too long.
 */
export async function ended<T>(limitMs: number, work: () => Promise<T>, end: () => Promise<void>): Promise<T> {
  const interrupted = (name: NodeJS.Signals): void => {
    // a second Ctrl-C must not cut the ending short
    for (const other of ENDINGS) process.on(other, () => {})
    void end().finally(() => process.exit(128 + constants.signals[name]))
  }
  for (const name of ENDINGS) process.once(name, interrupted)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${limitMs / 1000} s`)), limitMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
    await end()
    for (const name of ENDINGS) process.off(name, interrupted)
  }
}
