/** How long to wait before a job that failed for now is tried again, ms: 1 s, 2 s, 4 s … and from the seventh time on 60 s. */
export interface Pauses {
  readonly firstMs: number
  readonly mostMs: number
}

export const usualPauses: Pauses = { firstMs: 1_000, mostMs: 60_000 }

/** @param failures how often it has failed by now, from 1 */
export function pauseMs(failures: number, { firstMs, mostMs }: Pauses): number {
  return Math.min(firstMs * 2 ** (failures - 1), mostMs)
}
