// What is drawn once per start of the streaming job; several drills share it.
import { drawFrom } from './prng.ts'

export interface SessionPlan {
  readonly seed: number
  readonly partitions: number
  readonly triggerMs: number
  readonly eventLog: boolean
  readonly metrics: boolean
}

/** Draws 6–16 partitions, a trigger of 4–10 s (short ones are likelier: twenty calm batches must pass before a fault). */
export function drawSession(seed: number): SessionPlan {
  const draw = drawFrom('session', seed)
  const partitions = draw.whole(6, 16)
  const slow = draw.between(0, 1)
  return {
    seed,
    partitions,
    triggerMs: 4000 + 500 * Math.round(12 * slow * slow),
    eventLog: draw.chance(0.5),
    metrics: draw.chance(0.5),
  }
}
