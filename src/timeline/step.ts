/**
 * The one change in a line that explains it best: a level before, a level after, and the interval in which it changed.
 * Two segments, each described by its median; the split with the least absolute error wins (deterministic: the earliest of equals).
 */
import { median, spread } from './robust.ts'

export interface Step {
  /** It changed after the first and not later than the second of these times. */
  readonly between: readonly [number, number]
  readonly before: number
  readonly after: number
  /** Usual scatter before the change. */
  readonly scatter: number
  /** Share of the total absolute error that the split removes, 0..1. */
  readonly gain: number
}

/** A last point this much of the way to the new level already holds the change. */
const PART = 0.1

/** Points on each side that a level needs. */
const FEW = 3

/**
 * @param points time and value, in time order
 * @param minAfter points needed after the change (default 3): fewer are a blip, not a level
 */
export function findStep(points: readonly (readonly [number, number])[], minAfter = FEW): Step | null {
  if (points.length < FEW + minAfter) return null
  const values = points.map(([, v]) => v)
  const error = (part: readonly number[]) => {
    const m = median(part)
    return part.reduce((sum, v) => sum + Math.abs(v - m), 0)
  }
  const whole = error(values)
  if (whole === 0) return null
  let best: { split: number; left: number } | null = null
  for (let split = FEW; split <= points.length - minAfter; split++) {
    const left = error(values.slice(0, split)) + error(values.slice(split))
    if (best === null || left < best.left - 1e-9) best = { split, left }
  }
  if (best === null) return null
  const before = values.slice(0, best.split)
  const [low, high, noise] = [median(before), median(values.slice(best.split)), spread(before)]
  // A rate covers the time up to its point: the last one before the change may hold a part of it, and then it began in there.
  const moved = Math.abs((before.at(-1) as number) - low) > Math.max(PART * Math.abs(high - low), 3 * noise)
  const at = moved && best.split > 1 ? best.split - 1 : best.split
  const [from, to] = [(points[at - 1] as readonly [number, number])[0], (points[at] as readonly [number, number])[0]]
  // A smaller part than that may lie in the end of the last stretch that looks unchanged.
  const unseen = PART * (from - (points[at - 2]?.[0] ?? from))
  return {
    between: [from - unseen, to],
    before: low,
    after: high,
    scatter: noise,
    gain: 1 - best.left / whole,
  }
}
