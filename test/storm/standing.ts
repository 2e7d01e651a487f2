/**
 * What stands in Slack, held against what should stand there: read from the store as it is, and from the stand-in as everybody sees it.
 * Nothing of the product's own reckoning is asked.
 */
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import { connectRedis } from '../../src/store/redis-client.ts'
import type { Delivery, Store, Wanted } from '../../src/workflow/incident-ports.ts'

export interface Slot {
  readonly wanted: Wanted
  readonly delivery: Delivery
}

/** Every message that was ever wanted. */
export async function slots(url: string, store: Pick<Store, 'wanted'>): Promise<readonly Slot[]> {
  const redis = await connectRedis(url, () => {})
  try {
    const keys = await redis.keys('town:message:*')
    const read = await Promise.all(keys.map((key) => store.wanted(key.slice('town:message:'.length))))
    return read.filter((one) => one !== null)
  } finally {
    redis.disconnect()
  }
}

/** A message of the app at some time. */
interface Posted {
  readonly slot: string
  readonly edition: number
  readonly hasPicture: boolean
  readonly postedMs: number
  readonly deletedMs: number | null
}

export function posted({ workspace }: Pick<StandIn, 'workspace'>): readonly Posted[] {
  return workspace.messages
    .filter(({ author, onlyFor }) => author.kind === 'app' && onlyFor === null)
    .map(({ versions, ts, deletedAtMs }) => {
      const { metadata, blocks } = versions.at(-1)!
      const { slot = '', edition = 0 } = (metadata?.event_payload ?? {}) as { slot?: string; edition?: number }
      const hasPicture = blocks.some(({ type }) => type === 'image')
      return { slot, edition, hasPicture, postedMs: Number(ts) * 1000, deletedMs: deletedAtMs }
    })
}

export interface Standing {
  /** What is not as it should be, a sentence each. */
  readonly wrong: readonly string[]
  readonly lost: number
  /** Messages beyond the one of their slot, now. */
  readonly copies: number
  /** Of those that want a picture and stand, how many show none. */
  readonly pictureless: number
  readonly messages: number
}

/** @param quiet also say what Headwater itself still looks after, as copies or late edits might come */
export function compare(all: readonly Slot[], messages: readonly Posted[], quiet: boolean): Standing {
  const bySlot = Map.groupBy(
    messages.filter(({ deletedMs }) => deletedMs === null),
    ({ slot }) => slot,
  )
  const wrong: string[] = []
  let lost = 0
  let copies = 0
  let pictureless = 0
  for (const { wanted, delivery } of all) {
    const { slot, edition } = wanted
    const there = bySlot.get(slot) ?? []
    bySlot.delete(slot)
    copies += Math.max(0, there.length - 1)
    if (there.length > 1) wrong.push(`${slot} stands ${there.length} times`)
    const settled = wanted.alone !== null || delivery.state === 'unneeded'
    if (settled) {
      if (delivery.state !== 'unneeded') wrong.push(`${slot} is ${delivery.state}, to be said to one person`)
      if (there.length > 0) wrong.push(`${slot} stands and is not needed`)
      continue
    }
    if (there.length === 0) {
      lost++
      wrong.push(`${slot} does not stand; its delivery is ${delivery.state}${delivery.why === null ? '' : `, ${delivery.why}`}`)
      continue
    }
    if (there.some((one) => one.edition !== edition)) wrong.push(`${slot} stands in edition ${there[0]!.edition}, not ${edition}`)
    if (delivery.state !== 'sent') wrong.push(`${slot} stands, but is ${delivery.state}`)
    const lookedAfter = delivery.watchUntilMs !== null || delivery.rewriteAtMs !== null
    if (quiet && lookedAfter) wrong.push(`${slot} is still looked after`)
    if (wanted.picture !== null && !there.some((one) => one.hasPicture)) pictureless++
  }
  for (const [slot, strays] of bySlot) {
    copies += strays.length
    wrong.push(`${strays.length} messages stand that nobody wanted: ${slot}`)
  }
  return { wrong, lost, copies, pictureless, messages: messages.filter(({ deletedMs }) => deletedMs === null).length }
}

/** Copies that ever stood beside the message of their slot, and for how long each did, ms. */
export function formerCopies(messages: readonly Posted[]): readonly number[] {
  const bySlot = Map.groupBy(messages, ({ slot }) => slot)
  return [...bySlot.values()].flatMap((there) =>
    there.flatMap(({ deletedMs, postedMs }) => (deletedMs === null ? [] : [deletedMs - postedMs])),
  )
}
