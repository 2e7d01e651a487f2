/** Calls at an even pace, however long each takes, and how long that was. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Paced {
  /** Of the calls that succeeded, ms, ascending. */
  readonly took: readonly number[]
  readonly failed: number
}

/** @param call number from 0 on; resolves with whether it succeeded */
export async function paced(calls: number, withinMs: number, call: (number: number) => Promise<boolean>): Promise<Paced> {
  const took: number[] = []
  await Promise.all(
    Array.from({ length: calls }, async (_, number) => {
      await sleep((number / calls) * withinMs)
      const begin = performance.now()
      if (await call(number)) took.push(performance.now() - begin)
    }),
  )
  return { took: ascending(took), failed: calls - took.length }
}

export const ascending = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b)

/** Value below which this share of the values lies. @param sorted ascending; none = NaN */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** "p50 1.2 ms, p99 3.4 ms, at most 5.6 ms". @param sorted ms, ascending */
export function quantiles(sorted: readonly number[]): string {
  const [p50, p99, most] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? Number.NaN]
  return `p50 ${duration(p50)}, p99 ${duration(p99)}, at most ${duration(most)}`
}

function duration(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms >= 100 ? 0 : 1)} ms`
}
