/** Evidence is judged once in a process, however often its incident is told: the same evidence gives the same verdict. */
import { replayBundle } from '../app.ts'
import type { Judgement } from '../workflow/judge.ts'

/** Incidents that are told at the same time; wide ones take tens of megabytes each. */
const mostKept = 8

export interface JudgedEvidence {
  readonly bytes: (key: string) => Promise<Uint8Array | null>
  readonly judge: (bundle: Uint8Array) => Judgement
}

/** @param bytes of the store: by the hash of their content, so that a key never means something else */
export function judgedEvidence(bytes: (key: string) => Promise<Uint8Array | null>): JudgedEvidence {
  const kept = new Map<string, Uint8Array>()
  const judged = new WeakMap<Uint8Array, Judgement>()
  return {
    async bytes(key) {
      const found = kept.get(key) ?? (await bytes(key))
      if (found === null) return null
      kept.delete(key)
      kept.set(key, found)
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
      return found
    },
    judge(bundle) {
      const known = judged.get(bundle) ?? replayBundle(bundle)
      judged.set(bundle, known)
      return known
    },
  }
}
