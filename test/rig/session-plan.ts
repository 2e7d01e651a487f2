// What is drawn once per start of the streaming job; several drills share it.
import { drawFrom } from './prng.ts'

export interface SessionPlan {
  readonly seed: number
  readonly partitions: number
  readonly triggerMs: number
  readonly eventLog: boolean
  readonly metrics: boolean
}

/** Draws 6–16 partitions and a trigger of 5–10 s (below, the fixed cost of a batch leaves no room for work); short ones are likelier, since twenty calm batches go before a fault. */
export function drawSession(seed: number): SessionPlan {
  const draw = drawFrom('session', seed)
  return {
    seed,
    partitions: draw.whole(6, 16),
    triggerMs: 5000 + 500 * Math.round(10 * draw.between(0, 1) ** 2.5),
    eventLog: draw.chance(0.5),
    metrics: draw.chance(0.5),
  }
}
