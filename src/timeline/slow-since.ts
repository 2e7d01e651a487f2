/**
 * Since when batches are slow, from the table alone: its log reaches back further than the batches that are kept. A reader in time commits
 * once a trigger; one that runs over commits as far apart as its batches are long.
 */
import { findStep } from './step.ts'
import type { Timeline } from './timeline.ts'

/** More distances than this say no more, and cost much more to part. */
const MOST = 400
/** Single commits stray about their trigger: the mean over so many is looked at. */
const TOGETHER = 3
/** In time, and over it, as a share of what a batch may take. */
const IN_TIME = 1.1
const OVER = 1.03
/** Share of the distances' scatter that the change must explain. */
const CLEARLY = 0.5

/**
 * The commits between which it began; null = they do not reach back to a time when batches were in time.
 * @param limit seconds a batch may take
 */
export function slowSince({ commits, triggerS }: Pick<Timeline, 'commits' | 'triggerS'>, limit: number): readonly [number, number] | null {
  if (triggerS === null) return null
  const at = commits.filter((c) => c.kind === 'data').map((c) => c.at)
  const stride = Math.max(1, Math.ceil(at.length / MOST))
  const wide = Math.max(TOGETHER, stride)
  const from = (i: number) => at[i - wide] as number
  const points: (readonly [number, number, number])[] = []
  for (let i = wide; i < at.length; i += stride) points.push([at[i] as number, ((at[i] as number) - from(i)) / wide, from(i)])
  const step = findStep(points.map(([t, distance]) => [t, distance]))
  if (step === null || step.before > triggerS * IN_TIME || step.after <= limit || step.gain < CLEARLY) return null
  // Batches that grow by and by part best in the middle of their growth: it began with the first of them that ran over.
  let first = points.findIndex(([t]) => t >= step.between[1])
  while (first > 0 && (points[first - 1] as readonly [number, number, number])[1] > limit * OVER) first--
  const [to, , begun] = points[first] as readonly [number, number, number]
  return [begun, to]
}
