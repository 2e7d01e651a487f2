/**
 * What to do next for one message, from what should stand and what is known to stand. Pure, so that every crash can be walked through.
 *
 * A call's begin is written down before it is made. Whoever finds a begun call without an outcome does not repeat it: he looks first.
 * Slack may show a fresh post up to 5 s late, may carry a call out up to a minute late, and may carry it out twice. So a post is
 * missing only when two looks, some seconds apart, do not show it; after every post copies are looked for once, and after one of
 * unknown outcome when none can come any more. An edit of unknown outcome may come late and undo a newer one: the message is then
 * written once more.
 */
import type { Delivery, Wanted } from './incident-ports.ts'

/** Longer than any call of ours is waited for, ms. */
export const callLimitMs = 10_000
/** Between the two looks that must both miss a post. */
const looksApartMs = 6_000
/** After a post all its copies are to be seen. */
const shownAfterMs = 6_000
/** How late Slack may still carry out a call whose outcome we do not know. */
const lateCallMs = 90_000
/** Slack's clock and ours differ by less. */
const clocksApartMs = 60_000
/** A picture that Slack has not made ready by then is given up. */
const pictureLimitMs = 45_000
/** Between two looks at a message whose thread is to be written to. */
const rootAgainMs = 2_000
/** A reply lets the one before it go first for so long at most, and looks after it this often. */
const heldMs = { most: 5_000, again: 500 } as const

export const newDelivery = (slot: string): Delivery => ({
  slot,
  state: 'planned',
  ts: null,
  edition: 0,
  firstEdition: 0,
  sendingSinceMs: null,
  missedAtMs: null,
  copiesSinceMs: null,
  watchUntilMs: null,
  rewriteAtMs: null,
  attempts: 0,
  retryAtMs: null,
  file: null,
  why: null,
  removed: 0,
})

export type Step =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'drop'; readonly why: string }
  | { readonly do: 'post'; readonly threadTs: string | null; readonly file: string | null }
  | { readonly do: 'edit'; readonly ts: string; readonly threadTs: string | null; readonly file: string | null }
  /** A reply before it is on its way: write down since when it lets that one go first. */
  | { readonly do: 'hold' }
  | { readonly do: 'tell_alone' }
  /** Look for copies: to adopt one, or to remove those too many. */
  | { readonly do: 'find'; readonly threadTs: string | null; readonly sinceMs: number }
  | { readonly do: 'upload'; readonly blob: string }
  | { readonly do: 'ask_picture'; readonly file: string }
  /** Ask for the address of the message that it leads to. */
  | { readonly do: 'ask_address'; readonly ts: string }

/** Of the messages that this one depends on; null = it depends on none, or none is known. */
export interface Others {
  /** The one whose thread it belongs into. */
  readonly root: Delivery | null
  /** The one it leads to. */
  readonly target: Delivery | null
  /** The reply before it in its thread. */
  readonly before: Delivery | null
}

export function nextStep(wanted: Wanted, delivery: Delivery, others: Others, nowMs: number): Step {
  const { root } = others
  const { state, retryAtMs } = delivery
  if (state === 'unneeded') return { do: 'nothing' }
  if (state === 'sending') return begun(wanted, delivery, root, nowMs)
  const later = Math.max(retryAtMs ?? 0, wanted.notBeforeMs)
  if (later > nowMs) return { do: 'wait', untilMs: later }
  if (state === 'refused' && delivery.edition >= wanted.edition) return { do: 'nothing' }
  if (wanted.alone !== null) return { do: 'tell_alone' }
  if (wanted.under !== null && root?.ts == null) return underNothing(root, nowMs)
  if (wanted.onlyAfterEdit !== null && root !== null && root.firstEdition >= wanted.onlyAfterEdit)
    return { do: 'drop', why: 'it was posted with the verdict' }
  return standing(wanted, delivery, others, nowMs)
}

/** Where Slack refuses the root nothing can be written below it; when the channel lets us in, all of it is wanted anew. */
function underNothing(root: Delivery | null, nowMs: number): Step {
  return root?.state === 'refused' ? { do: 'nothing' } : { do: 'wait', untilMs: nowMs + rootAgainMs }
}

function begun(wanted: Wanted, delivery: Delivery, root: Delivery | null, nowMs: number): Step {
  const since = delivery.sendingSinceMs ?? 0
  if (nowMs < since + callLimitMs) return { do: 'wait', untilMs: since + callLimitMs }
  // It cannot be found again: said twice would be worse than not at all.
  if (wanted.alone !== null) return { do: 'drop', why: 'whether it was shown is not known' }
  const threadTs = root?.ts ?? null
  if (delivery.ts !== null) return { do: 'edit', ts: delivery.ts, threadTs, file: readyFile(wanted, delivery) }
  const { missedAtMs } = delivery
  if (missedAtMs !== null && nowMs < missedAtMs + looksApartMs) return { do: 'wait', untilMs: missedAtMs + looksApartMs }
  return { do: 'find', threadTs, sinceMs: copiesSince(delivery) }
}

/** The text never waits for a picture or an address: these come by a later edit. */
function standing(wanted: Wanted, delivery: Delivery, { root, target, before }: Others, nowMs: number): Step {
  const threadTs = root?.ts ?? null
  const file = readyFile(wanted, delivery)
  const { ts, watchUntilMs, rewriteAtMs } = delivery
  if (ts === null) return lettingFirst(delivery, before, nowMs) ?? { do: 'post', threadTs, file }
  if (delivery.edition < wanted.edition) return { do: 'edit', ts, threadTs, file }
  const more = addressStep(wanted, delivery, target) ?? pictureStep(wanted, delivery, nowMs)
  if (more !== null) return more
  if (rewriteAtMs !== null && rewriteAtMs <= nowMs) return { do: 'edit', ts, threadTs, file }
  if (watchUntilMs !== null && watchUntilMs <= nowMs) return { do: 'find', threadTs, sinceMs: copiesSince(delivery) }
  const never = Number.POSITIVE_INFINITY
  const next = Math.min(rewriteAtMs ?? never, watchUntilMs ?? never, waitsForTarget(wanted, target) ? nowMs + rootAgainMs : never)
  return Number.isFinite(next) ? { do: 'wait', untilMs: next } : { do: 'nothing' }
}

/**
 * Replies stand in the order in which things happened, because nobody can move them afterwards. But none waits long for one that Slack does
 * not take: five seconds, and as long again where that one had to wait itself.
 */
function lettingFirst({ heldSinceMs }: Delivery, before: Delivery | null, nowMs: number): Step | null {
  const comes = before !== null && before.firstEdition === 0 && (before.state === 'planned' || before.state === 'sending')
  if (!comes) return null
  if (heldSinceMs === undefined) return { do: 'hold' }
  const freeAtMs = before.heldSinceMs === undefined ? 0 : before.heldSinceMs + heldMs.most
  const untilMs = Math.max(heldSinceMs, freeAtMs) + heldMs.most
  return nowMs < untilMs ? { do: 'wait', untilMs: Math.min(untilMs, nowMs + heldMs.again) } : null
}

/** Where that message was posted anew it has another address. */
function addressStep({ leadsTo }: Wanted, { address }: Delivery, target: Delivery | null): Step | null {
  const ts = target?.ts ?? null
  return leadsTo === undefined || ts === null || address?.ts === ts ? null : { do: 'ask_address', ts }
}

/** One that Slack refuses is not waited for: when its channel lets us in, this one is wanted anew as well. */
function waitsForTarget({ leadsTo }: Wanted, target: Delivery | null): boolean {
  return leadsTo !== undefined && target !== null && target.ts === null && (target.state === 'planned' || target.state === 'sending')
}

const copiesSince = ({ copiesSinceMs }: Delivery): number => (copiesSinceMs ?? 0) - clocksApartMs

function pictureStep(wanted: Wanted, delivery: Delivery, nowMs: number): Step | null {
  if (wanted.picture === null || delivery.ts === null) return null
  const { file } = delivery
  if (file === null || file.blob !== wanted.picture.blob) return { do: 'upload', blob: wanted.picture.blob }
  if (file.shown || nowMs > file.sinceMs + pictureLimitMs) return null
  return { do: 'ask_picture', file: file.id }
}

/** The picture of another verdict would tell another story. */
function readyFile({ picture }: Wanted, { file }: Delivery): string | null {
  return picture !== null && file?.blob === picture.blob && file.shown ? file.id : null
}

/** A call begins: written down before it is made. A begun call that it follows has no outcome that we know. */
export function beginning(delivery: Delivery, nowMs: number): Delivery {
  const unknown = delivery.state === 'sending' && delivery.sendingSinceMs !== null && delivery.ts !== null
  return {
    ...delivery,
    state: 'sending',
    sendingSinceMs: nowMs,
    attempts: delivery.attempts + 1,
    copiesSinceMs: delivery.ts === null ? (delivery.copiesSinceMs ?? nowMs) : delivery.copiesSinceMs,
    rewriteAtMs: unknown ? delivery.sendingSinceMs! + lateCallMs : rewriteLeft(delivery, nowMs),
  }
}

/** This call is the one that was waited for. */
const rewriteLeft = ({ rewriteAtMs }: Delivery, nowMs: number): number | null =>
  rewriteAtMs !== null && rewriteAtMs <= nowMs ? null : rewriteAtMs

/** The call was carried out. @param edition what it has written */
export function carriedOut(begun: Delivery, ts: string, edition: number, nowMs: number): Delivery {
  const posted = begun.ts === null
  return {
    ...begun,
    ...idle,
    state: 'sent',
    ts,
    edition,
    firstEdition: begun.firstEdition === 0 ? edition : begun.firstEdition,
    watchUntilMs: posted ? Math.max(begun.watchUntilMs ?? 0, nowMs + shownAfterMs) : begun.watchUntilMs,
    attempts: 0,
    retryAtMs: null,
    why: null,
  }
}

/** A post whose outcome was not known stands in Slack after all. What it leaves behind may still come. */
export function adopted(begun: Delivery, ts: string, edition: number): Delivery {
  return { ...carriedOut(begun, ts, edition, 0), watchUntilMs: lastCopyMs(begun) }
}

/** Ours is not to be seen, but a copy of it is: that one stands from now on, and copies are looked for once more. */
export function moved(delivery: Delivery, ts: string, edition: number, nowMs: number): Delivery {
  return { ...delivery, ts, edition, watchUntilMs: nowMs + shownAfterMs }
}

/** After the looks have missed it: as if the call had never been made, but a late copy may still come. */
export function givenUp(begun: Delivery): Delivery {
  return { ...begun, ...idle, state: 'planned', watchUntilMs: lastCopyMs(begun) }
}

const lastCopyMs = (begun: Delivery): number => Math.max(begun.watchUntilMs ?? 0, (begun.sendingSinceMs ?? 0) + lateCallMs)

/** Copies were looked for, and are gone. */
export function watched(delivery: Delivery, removed: number): Delivery {
  return { ...delivery, copiesSinceMs: null, watchUntilMs: null, removed }
}

/** No call is under way. */
export const idle = { sendingSinceMs: null, missedAtMs: null } as const
