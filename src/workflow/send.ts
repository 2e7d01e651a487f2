/** Brings one message up to date in Slack: one step at a time, each outcome written down before the next. */
import { HeadwaterError } from '../errors.ts'
import { withAddress } from '../report/with-address.ts'
import type { Clock } from './clock.ts'
import type { Chat, Delivery, Outcome, Posting, Store, Wanted } from './incident-ports.ts'
import { leadAgain } from './lead-again.ts'
import type { Others, Step } from './send-step.ts'
import { adopted, beginning, carriedOut, givenUp, idle, moved, nextStep, watched } from './send-step.ts'

/** Slack takes about one post a second and channel. */
const postEveryMs = 1_100
/** Longest pause between two tries of a call that Slack could not carry out. */
const longestPauseMs = 60_000
/** Not ready yet: asked again after this long. */
const pictureAgainMs = 2_000
/** A look or an upload that Slack could not carry out is tried again after this long. */
const againMs = 4_000
/** Tries to tell somebody something alone. */
const mostTells = 5
/** Steps of one job; what is left is done by its next run. */
const mostSteps = 40

export interface SendPorts {
  readonly store: Pick<Store, 'wanted' | 'deliver' | 'turn' | 'bytes' | 'incident' | 'commit'>
  readonly chat: Chat
  readonly clock: Clock
}

/**
 * Does what is due, whichever edition asked for it: where a message changes all the time every job is overtaken by a newer edition, and if
 * each left it to the next one it would never be sent. What is not due yet is left to the job of the newest edition.
 * @param edition for whose sake it is sent: a newer one has asked for a job of its own
 * @returns null = it stands as it should, or the job of a newer edition sees to it; else when to come again, epoch ms
 */
export async function send(slot: string, edition: number, ports: SendPorts, signal: AbortSignal): Promise<number | null> {
  let overtaken = false
  for (let steps = 0; steps < mostSteps && !signal.aborted; steps++) {
    const read = await ports.store.wanted(slot)
    if (read === null) return null
    const { wanted, delivery } = read
    overtaken = wanted.edition > edition
    const step = nextStep(wanted, delivery, await othersOf(wanted, delivery, ports), ports.clock.nowMs())
    if (step.do === 'nothing') return null
    const again = step.do === 'wait' ? step.untilMs : await take(step, wanted, delivery, ports)
    if (again !== null) return overtaken ? null : again
  }
  return overtaken ? null : ports.clock.nowMs()
}

async function othersOf({ under, leadsTo, after }: Wanted, { ts }: Delivery, ports: SendPorts): Promise<Others> {
  return {
    root: await deliveryOf(under, ports),
    target: await deliveryOf(leadsTo?.slot ?? null, ports),
    before: await deliveryOf(ts === null ? (after ?? null) : null, ports),
  }
}

async function deliveryOf(slot: string | null, { store }: SendPorts): Promise<Delivery | null> {
  return slot === null ? null : ((await store.wanted(slot))?.delivery ?? null)
}

/** @returns null = look again at once; else when to come again */
async function take(
  step: Exclude<Step, { do: 'nothing' | 'wait' }>,
  wanted: Wanted,
  delivery: Delivery,
  ports: SendPorts,
): Promise<number | null> {
  switch (step.do) {
    case 'drop':
      await ports.store.deliver(delivery, { ...delivery, state: 'unneeded', sendingSinceMs: null, why: step.why })
      return null
    case 'hold':
      await ports.store.deliver(delivery, { ...delivery, heldSinceMs: ports.clock.nowMs() })
      return null
    case 'post':
    case 'edit':
      return await put(step, wanted, delivery, ports)
    case 'tell_alone':
      return await tellAlone(wanted, delivery, ports)
    case 'find':
      return await find(step, wanted, delivery, ports)
    case 'upload':
      return await upload(step.blob, wanted, delivery, ports)
    case 'ask_picture':
      return await askPicture(step.file, wanted, delivery, ports)
    case 'ask_address':
      return await askAddress(step.ts, wanted, delivery, ports)
  }
}

async function put(
  step: Extract<Step, { do: 'post' | 'edit' }>,
  wanted: Wanted,
  delivery: Delivery,
  ports: SendPorts,
): Promise<number | null> {
  const wait = await ports.store.turn(wanted.channel, ports.clock.nowMs(), postEveryMs)
  if (wait !== null) return ports.clock.nowMs() + wait
  const begun = beginning(delivery, ports.clock.nowMs())
  if (!(await ports.store.deliver(delivery, begun))) return null
  const outcome = await call(step, posting(step, wanted, delivery), ports.chat)
  const nowMs = ports.clock.nowMs()
  if (outcome.kind === 'unknown') return nowMs + pause(begun.attempts)
  const after =
    outcome.kind === 'done' ? carriedOut(begun, outcome.value.ts, wanted.edition, nowMs) : refused(begun, wanted, outcome, nowMs)
  await ports.store.deliver(begun, after)
  return null
}

function call(step: Extract<Step, { do: 'post' | 'edit' }>, content: Posting, chat: Chat): Promise<Outcome<{ readonly ts: string }>> {
  if (step.do === 'post') return chat.post(content)
  const { ts } = step
  return chat.edit({ ...content, ts }).then((outcome) => (outcome.kind === 'done' ? { kind: 'done', value: { ts } } : outcome))
}

function posting(step: { readonly threadTs: string | null; readonly file: string | null }, wanted: Wanted, { address }: Delivery): Posting {
  const { channel, slot, edition, text } = wanted
  const body = address?.url == null ? wanted.body : withAddress(wanted.body, address.url)
  const picture = step.file === null || wanted.picture === null ? null : { file: step.file, alt: wanted.picture.alt }
  return { channel, threadTs: step.threadTs, slot, edition, text, body, picture }
}

/** A message that somebody deleted is posted anew; what Slack refuses for good is kept as refused, with its reason. */
function refused(begun: Delivery, wanted: Wanted, outcome: Extract<Outcome<unknown>, { kind: 'refused' }>, nowMs: number): Delivery {
  const state = begun.ts === null ? 'planned' : 'sent'
  const after: Delivery = { ...begun, ...idle, state, why: outcome.code }
  // Slack took its word back on the picture: the text goes out without it, and the picture is asked for again.
  if (outcome.code === 'file_not_ready' && begun.file !== null) {
    return { ...after, retryAtMs: state === 'sent' ? nowMs + pictureAgainMs : null, file: { ...begun.file, shown: false } }
  }
  if (outcome.code === 'message_not_found' && begun.ts !== null) return { ...after, state: 'planned', ts: null, rewriteAtMs: null }
  if (outcome.forGood) return { ...after, state: 'refused', edition: wanted.edition }
  return { ...after, retryAtMs: nowMs + (outcome.retryAfterMs ?? pause(begun.attempts)) }
}

const pause = (attempts: number): number => Math.min(longestPauseMs, 1000 * 2 ** Math.min(6, attempts))

async function tellAlone(wanted: Wanted, delivery: Delivery, ports: SendPorts): Promise<number | null> {
  const { alone, channel, text } = wanted
  if (alone === null) throw new HeadwaterError('internal', `the message ${wanted.slot} is for nobody`)
  const begun = beginning(delivery, ports.clock.nowMs())
  if (!(await ports.store.deliver(delivery, begun))) return null
  const outcome = await ports.chat.tellAlone({ ...alone, channel }, text)
  if (outcome.kind === 'refused' && !outcome.forGood && begun.attempts < mostTells) {
    // Slack says that it was not shown: this one may be tried again.
    const retryAtMs = ports.clock.nowMs() + (outcome.retryAfterMs ?? pause(begun.attempts))
    await ports.store.deliver(begun, { ...begun, ...idle, state: 'planned', retryAtMs, why: outcome.code })
    return null
  }
  const why = outcome.kind === 'done' ? null : outcome.kind === 'refused' ? outcome.code : outcome.why
  await ports.store.deliver(begun, { ...begun, ...idle, state: 'unneeded', why })
  return null
}

/**
 * What Slack shows is written down before a copy goes: whoever was overtaken meanwhile removes nothing, since the copy that he would
 * keep may be the one that another removes. The last copy that is to be seen is never removed.
 */
async function find(step: Extract<Step, { do: 'find' }>, wanted: Wanted, delivery: Delivery, ports: SendPorts): Promise<number | null> {
  const { channel, slot } = wanted
  if (delivery.state === 'sent' && delivery.ts !== null) await leadAgain(delivery.ts, wanted, ports.store, ports.clock.nowMs())
  const found = await ports.chat.find({ channel, threadTs: step.threadTs, slot, sinceMs: step.sinceMs })
  if (found.kind !== 'done') return await unseen(found, wanted, delivery, ports)
  const stands = looked(delivery, found.value, ports.clock.nowMs())
  if (!(await ports.store.deliver(delivery, stands))) return null
  const ours = found.value.some(({ ts }) => ts === stands.ts)
  // Where another copy took the place of ours, ours may come to light yet: the next look decides.
  if (!ours || (delivery.ts !== null && delivery.ts !== stands.ts)) return null
  const { removed, later } = await removeOthers(channel, found.value, stands, ports)
  if (later !== null) {
    if (removed > 0) await ports.store.deliver(stands, { ...stands, removed: stands.removed + removed })
    return later
  }
  const counted = { ...stands, removed: stands.removed + removed }
  // Right after an adoption copies may still come: they are looked for once more.
  await ports.store.deliver(stands, delivery.state === 'sent' ? watched(counted, counted.removed) : counted)
  return null
}

async function removeOthers(
  channel: string,
  found: readonly { readonly ts: string }[],
  stands: Delivery,
  ports: SendPorts,
): Promise<{ readonly removed: number; readonly later: number | null }> {
  let removed = 0
  for (const { ts } of found) {
    if (ts === stands.ts) continue
    const outcome = await ports.chat.remove(channel, ts)
    if (outcome.kind === 'done') removed++
    else if (!(outcome.kind === 'refused' && outcome.forGood)) return { removed, later: laterAfter(outcome, ports) }
  }
  return { removed, later: null }
}

function looked(delivery: Delivery, found: readonly { readonly ts: string; readonly edition: number }[], nowMs: number): Delivery {
  const kept = found.find(({ ts }) => ts === delivery.ts) ?? found[0]
  if (delivery.state === 'sent') {
    if (kept === undefined) return watched(delivery, delivery.removed)
    return kept.ts === delivery.ts ? delivery : moved(delivery, kept.ts, kept.edition, nowMs)
  }
  if (kept !== undefined) return adopted(delivery, kept.ts, kept.edition)
  return delivery.missedAtMs === null ? { ...delivery, missedAtMs: nowMs } : givenUp(delivery)
}

/** Slack cannot be looked through. Where it never can, a post of unknown outcome is not repeated: two would be worse than none. */
async function unseen(
  outcome: Exclude<Outcome<unknown>, { kind: 'done' }>,
  wanted: Wanted,
  delivery: Delivery,
  ports: SendPorts,
): Promise<number | null> {
  if (outcome.kind === 'unknown' || !outcome.forGood) return laterAfter(outcome, ports)
  const after: Delivery =
    delivery.state === 'sent'
      ? watched(delivery, delivery.removed)
      : { ...delivery, ...idle, state: 'refused', edition: wanted.edition, why: outcome.code }
  await ports.store.deliver(delivery, after)
  return null
}

function laterAfter(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>, { clock }: SendPorts): number {
  return clock.nowMs() + ((outcome.kind === 'refused' ? outcome.retryAfterMs : null) ?? againMs)
}

async function upload(blob: string, wanted: Wanted, delivery: Delivery, ports: SendPorts): Promise<number | null> {
  const png = await ports.store.bytes(blob)
  const none: Delivery = { ...delivery, file: { blob, id: '', sinceMs: 0, shown: false } }
  if (png === null) {
    // Kept no longer: the message stands without its picture.
    await ports.store.deliver(delivery, none)
    return null
  }
  const outcome = await ports.chat.upload(png, wanted.picture?.alt ?? 'chart')
  if (outcome.kind === 'done') {
    await ports.store.deliver(delivery, { ...delivery, file: { blob, id: outcome.value.file, sinceMs: ports.clock.nowMs(), shown: false } })
    return null
  }
  if (outcome.kind === 'refused' && outcome.forGood) {
    await ports.store.deliver(delivery, { ...none, why: outcome.code })
    return null
  }
  return laterAfter(outcome, ports)
}

/** A file that was uploaded twice because the first answer was lost costs nothing: nobody sees a file that no message shows. */
async function askPicture(file: string, wanted: Wanted, delivery: Delivery, ports: SendPorts): Promise<number | null> {
  const outcome = await ports.chat.ready(file)
  if (outcome.kind !== 'done' || !outcome.value || delivery.file === null) return ports.clock.nowMs() + pictureAgainMs
  // An edition of before, so that the same content is edited once more, now with its picture.
  await ports.store.deliver(delivery, {
    ...delivery,
    edition: Math.min(delivery.edition, wanted.edition - 1),
    file: { ...delivery.file, shown: true },
  })
  return null
}

/** What leads to another message leads there from its next edit on. Where Slack has no address for it, the words do without. */
async function askAddress(ts: string, wanted: Wanted, delivery: Delivery, ports: SendPorts): Promise<number | null> {
  if (wanted.leadsTo === undefined) throw new HeadwaterError('internal', `the message ${wanted.slot} leads nowhere`)
  const outcome = await ports.chat.permalink(wanted.leadsTo.channel, ts)
  if (outcome.kind !== 'done' && !(outcome.kind === 'refused' && outcome.forGood)) return laterAfter(outcome, ports)
  const url = outcome.kind === 'done' && outcome.value !== '' ? outcome.value : null
  // An edition of before, as for a picture.
  const edition = url === null ? delivery.edition : Math.min(delivery.edition, wanted.edition - 1)
  await ports.store.deliver(delivery, { ...delivery, edition, address: { ts, url } })
  return null
}
