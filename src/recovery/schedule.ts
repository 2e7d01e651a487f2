/** When to look again after a change: soon enough to see a query that does not come up, late enough for the change to act, and once more after that. */
import { knobs } from '../incident/knob.ts'
import type { Proposal } from '../incident/proposal.ts'
import { HOLD_SECONDS } from '../proposal/expect.ts'

/** After a restart of the query the first batches judge nothing (cold JVMs, backlog); seconds that this takes at least. */
const settleSeconds = { restart: 120, live: 60 } as const
/** The last look comes at this multiple of the latest time by which the change should have acted: then it has failed (engine.md §3.9). */
const FAILED = 1.5
/** No look comes sooner after another, s. */
const apart = 60

/**
 * Four looks: whether it is alive and the setting turned; whether it has held for long enough; when all should be as expected; and the
 * last, after which something has to be said.
 * @returns epoch ms, ascending, at least a minute apart
 */
export function planLooks(proposal: Proposal, appliedAtMs: number): number[] {
  const settle = settleSeconds[knobs[proposal.action.knob].restarts ? 'restart' : 'live']
  const alive = Math.max(settle, ...proposal.expects.filter((one) => one.located).map((one) => one.within[0]))
  const latest = Math.max(alive + HOLD_SECONDS + apart, ...proposal.expects.map((one) => one.within[1]))
  const seconds: number[] = []
  for (const at of [alive, alive + HOLD_SECONDS + apart, latest, FAILED * latest]) {
    const before = seconds.at(-1)
    if (before === undefined || at >= before + apart) seconds.push(at)
  }
  return seconds.map((s) => appliedAtMs + Math.round(s * 1000))
}
