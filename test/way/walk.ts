/**
 * One way of an incident on the running rig, from calm to the word in the thread: a partition turns hot, an alert comes, an owner
 * approves, whoever operates the query really turns a knob (the right one, or what one turns who has misread the proposal), and the
 * product looks whether it helped. Everything that is checked is what people can see: in Slack, and on the rig itself.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Seen } from '../../src/demo/slack/observer.ts'
import { drawDrill } from '../rig/draw-drill.ts'
import type { RigHands } from '../rig/hands.ts'
import { handsOn } from '../rig/hands.ts'
import { holdFault } from '../rig/hold.ts'
import { logEnds } from '../rig/kafka.ts'
import type { Rig } from '../rig/layout.ts'
import type { Load } from '../rig/load.ts'
import { restoring } from '../rig/restoring.ts'
import type { Session } from '../rig/session.ts'
import { endSession } from '../rig/session.ts'
import type { SessionPlan } from '../rig/session-plan.ts'
import { forgetLoad, resetLoad } from '../rig/standing-load.ts'
import type { AgreedChange } from '../rig/turn-knob.ts'
import { growTopic, restartQuery, tasksOfNewestBatch, turnKnob } from '../rig/turn-knob.ts'
import type { Say } from '../rig/up-down.ts'
import { waitForCalm } from '../rig/wait-for-calm.ts'
import { lateBatches } from './alert.ts'
import { agreedIn, buttons, homes, onCall, owners, picture, press, replies, words } from './channel.ts'
import type { Household } from './household.ts'
import { openHousehold } from './household.ts'
import type { Ending, Walked } from './walked.ts'
import { linesOf, outcomeIn } from './walked.ts'

export interface WalkOptions {
  readonly plan: SessionPlan
  /** Draws load, partition and strength of the fault. */
  readonly seed: number
  readonly ending: Ending
  /** Keeps what the sources answer in between as well, for the demo. */
  readonly record: boolean
  /** From the verdict until the knob is turned, ms: people read first. */
  readonly readMs: number
}

/** What a hot partition is called in the headline. */
const HOT = 'one partition takes more than its reader can work off'
/** The fault lasts this long, ms: it is drawn so that batches settle at a length, and the machine is not drowned (rig/held.ts). */
const HELD_MS = 15 * 60_000
/** "Batches late for a minute", and what it takes to evaluate that. */
const ALERT_AFTER_MS = 75_000
const RECORD_BEFORE_MS = 30_000
const RECORD_AFTER_MS = 60_000
const LOOK_EVERY_MS = 12_000
const limits = { verdictMs: 45_000, pressMs: 20_000, shownMs: 90_000, pictureMs: 30_000, outcomeMs: 20 * 60_000, againMs: 90_000 } as const

/** Walks the whole way. Rejects when the rig or the product fails to go on; what is merely wrong is among the checks. */
export async function walk(rig: Rig, options: WalkOptions, say: Say): Promise<Walked> {
  const { plan, seed, ending } = options
  const { drawn } = drawDrill('hot_partition', seed, plan, HELD_MS)
  // Never one on which a knob was turned before.
  await endSession(rig)
  const { session } = await waitForCalm(rig, plan, drawn.load, say)
  // Somebody has the driver's page open, as always: its first answer of all takes seconds on a busy machine.
  await tasksOfNewestBatch(rig)
  const hands = handsOn(rig, session, drawn.load)
  const restore = (): void => {
    hands.release()
    resetLoad(rig, session.number, drawn.load)
  }
  const house = await openHousehold(rig, session)
  const recording = new AbortController()
  try {
    return await restoring(restore, async () => {
      forgetLoad(rig)
      await drawn.inject(hands)
      say(`  partition ${drawn.place.partitions.join()} turns hot: ${JSON.stringify(drawn.parameters)}; ending: ${ending}`)
      await holdFault(rig, ALERT_AFTER_MS - RECORD_BEFORE_MS, say)
      const recorded = options.record ? recordInBetween(house, recording.signal) : Promise.resolve()
      await holdFault(rig, RECORD_BEFORE_MS, say)
      const walked = await fromAlert({ rig, session, house, hands, options, say, load: drawn.load, partition: drawn.place.partitions[0]! })
      if (options.record) await sleep(RECORD_AFTER_MS)
      recording.abort()
      await recorded
      return { ...walked, looks: house.recorder.looks() }
    })
  } finally {
    recording.abort()
    await house.close()
  }
}

/** One look after the other; the product's own are never disturbed. */
async function recordInBetween({ recorder, pipeline }: Household, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const begunMs = Date.now()
    if (!recorder.underWay()) await recorder.look(pipeline, signal).catch(() => {})
    await sleep(Math.max(1000, LOOK_EVERY_MS - (Date.now() - begunMs)), undefined, { signal }).catch(() => {})
  }
}

interface Scene {
  readonly rig: Rig
  readonly session: Session
  readonly house: Household
  readonly hands: RigHands
  readonly load: Load
  readonly options: WalkOptions
  readonly partition: number
  readonly say: Say
}

async function fromAlert(scene: Scene): Promise<Omit<Walked, 'looks'>> {
  const { house, rig, options, partition, say } = scene
  const { stand } = house
  const checks: Walked['checks'][number][] = []
  const check = (what: string, holds: boolean, saw: string): void => {
    checks.push({ what, holds, saw })
    say(`  ${holds ? 'ok  ' : 'NOT '} ${what}: ${saw}`)
  }
  const alertMs = Date.now()
  const alert = lateBatches(alertMs)
  const answer = await house.alert(alert)
  check(
    'the alert is taken in at once',
    answer.status >= 200 && answer.status < 300 && answer.ms < 200,
    `${answer.status} after ${answer.ms.toFixed(0)} ms`,
  )

  const home = await until(scene, limits.verdictMs, 'a proposal to approve, below its chart', () =>
    homes(stand).find((one) => buttons(one).includes('Approve') && picture(stand, one) !== null),
  )
  const verdictMs = Date.now()
  const [headline = ''] = linesOf(home.now.text)
  const chart = picture(stand, home)
  check(
    'one message names the cause and its place',
    headline.endsWith(HOT) && words(home).includes(`partition ${partition}`),
    `after ${inSeconds(verdictMs - alertMs)}: ${headline}`,
  )
  check('with a chart and the buttons', buttons(home).length === 3, `PNG of ${chart?.length ?? 0} bytes; ${buttons(home).join(' ')}`)

  await press(stand, onCall, home, 'Approve')
  const told = await until(scene, limits.pressMs, 'a refusal for who is no owner', () => stand.observer.shownOnlyTo(onCall)[0])
  check('who is no owner is refused alone', agreedIn(textsBelow(scene, home)) === null, told.now.text)

  await press(stand, owners.approves, home, 'Approve')
  const approvedMs = Date.now()
  const agreed = await until(scene, limits.pressMs, 'the sign-off in the thread', () => agreedIn(textsBelow(scene, home)))
  const signed =
    replies(stand, home.ts)
      .map(words)
      .find((text) => text.startsWith('Approved: ')) ?? ''
  check(
    'the sign-off stands in the thread, with its entry in the ledger',
    /Ledger entry \d+, [0-9a-f]{12}/.test(signed),
    signed.split('\n').at(-1) ?? '',
  )

  await sleep(Math.max(0, verdictMs + options.readMs - Date.now()))
  const turnedMs = Date.now()
  const really = await turn(scene, agreed)
  say(`  agreed: ${agreed.line}; really: ${really} (${inSeconds(Date.now() - turnedMs)})`)
  const right = options.ending === 'recovered'
  const shown = await shownBy(rig, scene.session.topic, ({ tasks, partitions }) =>
    right ? tasks >= agreed.to : partitions === agreed.to && tasks === agreed.to,
  )
  check('the rig itself shows it', shown.holds, `${shown.tasks} tasks for ${shown.partitions} partitions`)

  const standing = homes(stand).find((one) => one.ts === home.ts)!
  await press(stand, owners.applies, standing, 'Applied')
  const appliedMs = Date.now()
  const outcome = await until(scene, limits.outcomeMs, 'the word on recovery', () => outcomeIn(textsBelow(scene, home)))
  const outcomeMs = Date.now()
  const wanted = right ? 'recovered' : 'no_effect'
  // The picture follows a moment after the words.
  const concluded = await until(scene, limits.pictureMs, 'before and after in one picture', () =>
    replies(stand, home.ts).find((one) => outcomeIn([one.now.text]) !== null && picture(stand, one) !== null),
  )
  check(
    `the thread says ${wanted}, with before and after in one picture`,
    outcome === wanted,
    `${outcome} ${inSeconds(outcomeMs - appliedMs)} after Applied: ${linesOf(concluded.now.text).slice(1, 3).join(' | ')}`,
  )
  await ends(scene, home, right, check)
  check(
    'one message in the channel, whatever came',
    homes(stand).length === 1,
    `${homes(stand).length}, and ${replies(stand, home.ts).length} replies`,
  )
  return {
    ending: options.ending,
    alert,
    described: house.described,
    triggerMs: options.plan.triggerMs,
    moments: { alertMs, verdictMs, approvedMs, turnedMs, appliedMs, outcomeMs },
    turned: { agreed: agreed.line, really, right },
    outcome,
    pictures: [chart, ...replies(stand, home.ts).map((one) => picture(stand, one))].filter((one) => one !== null),
    texts: [homes(stand)[0]!, ...replies(stand, home.ts)].map(words),
    checks,
  }
}

/** What follows by itself: the incident closes, or the whole path is looked at anew. */
async function ends(scene: Scene, home: Seen, right: boolean, check: (what: string, holds: boolean, saw: string) => void): Promise<void> {
  const now = (): string => words(homes(scene.house.stand).find((one) => one.ts === home.ts)!)
  const sign = right ? /Closed after .+: it recovered/ : /looked at .+, revision [2-9]/
  const text = await until(scene, limits.againMs, right ? 'the end of the incident' : 'a new attribution', () =>
    sign.test(now()) ? now() : undefined,
  ).catch(now)
  check(
    right ? 'the incident is closed' : 'a new attribution was made by itself',
    sign.test(text),
    text.replaceAll('\n', ' | ').slice(0, 300),
  )
}

/** @returns what was really done, one sentence */
async function turn({ rig, session, options, hands, load }: Scene, agreed: AgreedChange): Promise<string> {
  if (options.ending === 'recovered') return await turnKnob(rig, session, agreed)
  // "minPartitions 24" read as "the topic needs 24 partitions": a real change, a restart as the proposal says, and the key stays where it is.
  await growTopic(rig, session, agreed.to)
  const { weights } = load
  hands.produce({ weights: Array.from({ length: agreed.to }, (_, partition) => weights[partition % weights.length]!) })
  await restartQuery(rig, session, {})
  return `the topic was given ${agreed.to} partitions and the query was started anew; ${agreed.knob} is as it was`
}

interface Shown {
  readonly tasks: number
  readonly partitions: number
}

/** Of the newest batch; the first after a restart is that which was cut off, with the partitions that it had. */
async function shownBy(rig: Rig, topic: string, asWanted: (shown: Shown) => boolean): Promise<Shown & { readonly holds: boolean }> {
  const endMs = Date.now() + limits.shownMs
  for (;;) {
    const shown = { tasks: await tasksOfNewestBatch(rig), partitions: (await logEnds(rig.brokers, topic)).length }
    const holds = asWanted(shown)
    if (holds || Date.now() > endMs) return { ...shown, holds }
    await sleep(2000)
  }
}

const textsBelow = ({ house }: Scene, home: Seen): string[] => replies(house.stand, home.ts).map((one) => one.now.text)

/** Waits for something to be seen, while the rig goes on. */
async function until<T>({ rig }: Scene, ms: number, what: string, look: () => T | null | undefined): Promise<T> {
  const endMs = Date.now() + ms
  for (;;) {
    const found = look()
    if (found !== null && found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`waited ${inSeconds(ms)} in vain for ${what}`)
    for (const name of ['driver', 'producer']) {
      if (rig.processes.get(name) === undefined)
        throw new Error(`the ${name} ended while waiting for ${what}; see ${rig.processes.logFile(name)}`)
    }
    await sleep(250)
  }
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
