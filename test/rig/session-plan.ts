// What is drawn once per start of the streaming job; several drills share it.
import { drawFrom } from './prng.ts'

export interface SessionPlan {
  readonly seed: number
  readonly partitions: number
  readonly triggerMs: number
  readonly eventLog: boolean
  readonly metrics: boolean
}

/**
 * Draws 6–16 partitions and a trigger of 5–10 s; short ones are likelier, since twenty calm batches go before a fault.
 *
 * Why not 4 s: a batch costs 1.5 s before it has read a record (1.9 s beside neighbours). To be calm it may hold 0.6 s of
 * work besides, 0.145 of the trigger. From there the slots are overloaded only by nine times the intake or more: 2,700 to
 * 4,400 records/s at the lowest base rate, and the machine takes 2,600. And every tenth batch, with Delta's own checkpoint,
 * takes 1.6 s more: 4.1 s, late without any fault. At 5 s a surge fits from 1,800 records/s on, and a tenth batch into 4.6 s.
 */
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

export const samePlan = (a: SessionPlan, b: SessionPlan): boolean => JSON.stringify(a) === JSON.stringify(b)
