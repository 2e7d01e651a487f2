// Everything about a drill that follows from its kind and seed.
import type { Drawn } from './faults/fault.ts'
import { faultOf } from './faults/index.ts'
import { drawFrom } from './prng.ts'
import type { SessionPlan } from './session-plan.ts'

/** When the question is asked, s into the fault. */
const ASK_AFTER_S = { low: 30, high: 60 } as const

export interface DrillDraw {
  readonly drawn: Drawn
  /** From the fault to the question. */
  readonly askAfterMs: number
}

/** `askAfterMs` when told otherwise than drawn. Throws for an event that would be long over by then. */
export function drawDrill(kind: string, seed: number, plan: SessionPlan, askAfterMs?: number): DrillDraw {
  const fault = faultOf(kind)
  const latest = fault.askWithinSeconds ?? Number.POSITIVE_INFINITY
  const afterMs = askAfterMs ?? 1000 * drawFrom('ask', kind, seed).between(ASK_AFTER_S.low, Math.min(ASK_AFTER_S.high, latest))
  if (afterMs > latest * 1000) throw new Error(`${kind} is an event that cannot be held: ask at most ${latest} s after it`)
  return { drawn: fault.draw(drawFrom(kind, seed), plan, afterMs / 1000), askAfterMs: afterMs }
}
