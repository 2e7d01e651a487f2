// Compares a verdict with the truth. Used by the drills only; the product never sees it.
import type { TruthPlace } from './faults/fault.ts'
import type { Verdict } from './verdict.ts'

export interface Judgement {
  /** The first of the ranking is the true cause. */
  readonly firstRight: boolean
  /** A cause (or "none") was named, not "inconclusive". */
  readonly accepted: boolean
  /** Accepted and the right cause. */
  readonly right: boolean
  /** Accepted and another cause than the true one. */
  readonly wrong: boolean
  /** Null where the truth names no place. */
  readonly placeRight: boolean | null
}

const sameSet = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((one) => b.includes(one))

/** Words by which a verdict may name the part of a batch. */
const PHASES: Record<'write' | 'commit', RegExp> = { write: /write|task|data|sink/i, commit: /commit|log|sink/i }

/** True when every part of the place that the truth names is named alike. A place without parts is the whole topic. */
export function placeIsRight(truth: TruthPlace, said: Verdict['place'], topic: string): boolean | null {
  if (said === null) return false
  if (said.topic !== null && said.topic !== topic) return false
  if (truth.partitions.length > 0) return sameSet(truth.partitions, said.partitions)
  if (truth.executor !== null || truth.host !== null) {
    if (said.executor === null && said.host === null) return false
    const executorRight = truth.executor === null || said.executor === null || said.executor === truth.executor
    return executorRight && (said.host === null || hostOf(said.host) === truth.host)
  }
  if (truth.phase !== null) return said.phase !== null && PHASES[truth.phase].test(said.phase)
  // the whole topic: one partition or one executor would be too narrow
  return said.partitions.length !== 1 && said.executor === null
}

const hostOf = (text: string): string => text.split(':')[0] ?? text

/** Judges one verdict. `kind`: the true cause, "none" for the quiet control. */
export function judge(kind: string, truth: TruthPlace, verdict: Verdict, topic: string): Judgement {
  const named = verdict.outcome === 'none' ? 'none' : verdict.cause
  const accepted = verdict.outcome !== 'inconclusive'
  const right = accepted && named === kind
  return {
    firstRight: verdict.ranking[0]?.[0] === kind,
    accepted,
    right,
    wrong: accepted && named !== kind,
    placeRight: kind === 'none' ? null : placeIsRight(truth, verdict.place, topic),
  }
}
