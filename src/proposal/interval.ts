/** A number that is known between two ends only, and how it is written. */
import { count, duration, share } from '../incident/format.ts'

export type Interval = readonly [low: number, high: number]

/** Two ends that differ by less than this are one number to a person. */
const NEARLY = 1.02

/** Both ends by one way of writing; once where they read the same, and the unit only once. */
function both([low, high]: Interval, write: (value: number) => string): string {
  const [a, b] = [write(low), write(high)]
  if (a === b || high <= low * NEARLY) return b
  const [number, unit, ...more] = a.split(' ')
  return more.length === 0 && unit !== undefined && b.endsWith(` ${unit}`) && b.split(' ').length === 2
    ? `${number} to ${b}`
    : `${a} to ${b}`
}

/** [4.52, 6.2] → "4.5 to 6.2 s". */
export const seconds = (interval: Interval): string => both(interval, duration)
export const counts = (interval: Interval): string => both(interval, count)
/** [0.12, 0.3] → "12 to 30 %". */
export const shares = (interval: Interval): string => both(interval, share)
