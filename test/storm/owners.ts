/** Owners who approve what can be approved, as soon as they see it, and once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import type { Promised } from './outcome.ts'
import { ownerOf, pressUntilTaken } from './people.ts'
import type { Plan } from './plan.ts'

const lookEveryMs = 300

export interface Owners {
  /** Presses that are under way. */
  readonly busy: () => number
  readonly ended: Promise<void>
}

export function approveAll(stand: StandIn, plans: readonly Plan[], promises: readonly Promised[], signal: AbortSignal): Owners {
  const byPipeline = new Map(plans.map((plan) => [plan.pipeline, plan]))
  const versions = new Map<string, number>()
  const decided = new Set<string>()
  const pressing = new Set<Promise<void>>()

  async function decide(plan: Plan, channel: string, ts: string): Promise<void> {
    const { index, twoOwners } = plan
    const press = (which: number) => pressUntilTaken(stand, { user: ownerOf(index, which), channel, ts, on: 'headwater_approve' }, signal)
    const taken = await Promise.all(twoOwners ? [press(0), press(1)] : [press(0)])
    if (taken.some((one) => one !== null)) promises[index]!.approved = true
    // A copy was pressed that is gone by now: the one that stands is as good.
    else decided.delete(plan.pipeline)
  }

  function look(): void {
    for (const message of stand.workspace.messages) {
      const { channel, ts, threadTs, onlyFor, deletedAtMs } = message
      if (onlyFor !== null || threadTs !== null || deletedAtMs !== null || versions.get(ts) === message.versions.length) continue
      const { metadata, blocks } = message.versions.at(-1)!
      const slot = (metadata?.event_payload as { slot?: string } | undefined)?.slot ?? ''
      const plan = byPipeline.get(/^i-\d+-(.+)-[0-9a-f]{8}\/home$/.exec(slot)?.[1] ?? '')
      if (plan === undefined || decided.has(plan.pipeline)) continue
      versions.set(ts, message.versions.length)
      if (!JSON.stringify(blocks).includes('headwater_approve')) continue
      decided.add(plan.pipeline)
      const one = decide(plan, channel, ts).finally(() => pressing.delete(one))
      pressing.add(one)
    }
  }

  const ended = (async () => {
    while (!signal.aborted) {
      look()
      await sleep(lookEveryMs)
    }
    await Promise.all(pressing)
  })()
  return { busy: () => pressing.size, ended }
}
