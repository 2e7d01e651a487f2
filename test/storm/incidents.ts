/**
 * Many incidents at once while everything around the service misbehaves: Slack answers 429 or 500, hangs up, comes late, does things twice;
 * Redis is killed and started; workers and one of two apps are killed. Then all of that ends, and some time later everything must be as if it had never been.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { seededChance } from '../../src/demo/slack/chance.ts'
import { verify } from '../../src/signoff/verify.ts'
import { ascending, quantiles } from '../bench/paced.ts'
import type { Town, TownOptions } from '../service/town.ts'
import { secrets, town } from '../service/town.ts'
import type { Blows } from './blows.ts'
import { deal } from './blows.ts'
import type { Promised } from './outcome.ts'
import { halfSeen, outcomeOf, waits, wronglySigned } from './outcome.ts'
import { approveAll } from './owners.ts'
import { alertUntilTaken, askerOf, askUntilTaken, bringIn, ownerOf } from './people.ts'
import type { Extent, Plan } from './plan.ts'
import { aroundOf, faultsOf, plansOf } from './plan.ts'
import { grown, takenBy } from './resources.ts'
import type { Row } from './rows.ts'
import { count, figure, held } from './rows.ts'
import type { Standing } from './standing.ts'
import { compare, formerCopies, posted, slots } from './standing.ts'

export interface StormOptions extends Extent, Pick<TownOptions, 'over'> {
  readonly seed: number
  /** Of each kind of fault at each call, 0…1. */
  readonly chance: number
  readonly mostLateMs: number
  readonly blows: Omit<Blows, 'withinMs'>
  /** After the last fault everything must be as it should within so long, and is looked at for so long at least, ms. */
  readonly restMs: number
  readonly watchMs: number
  /** Rest is only when Headwater itself looks after nothing any more: it does so for a minute and a half after a call of unknown outcome. */
  readonly quiet: boolean
  readonly tell: (line: string) => void
}

/** Between two looks at everything that stands, ms. */
const lookEveryMs = 3_000

export async function stormOverIncidents(options: StormOptions): Promise<readonly Row[]> {
  const { seed, tell, restMs, over } = options
  const chance = seededChance(seed)
  const plans = plansOf(options, chance)
  const place = await town({
    pipelines: plans.map(({ pipeline }) => pipeline),
    around: (i) => aroundOf(plans[i]!),
    weather: 'nasty',
    // So many incidents in some minutes are more than Slack lets one app tell. That it says so is one of the faults.
    rateLimits: false,
    seed,
    // As Headwater advises whoever sets it up, and no more.
    redis: { appendonly: 'yes' },
    ...(over === undefined ? {} : { over }),
  })
  const { stand } = place
  const people = plans.flatMap(({ index }) => [askerOf(index), ownerOf(index), ownerOf(index, 1)])
  bringIn(stand, people, [...stand.workspace.channels.keys()])
  const app = place.start('app')
  const steady = place.start('worker')
  const doomedRoles = ['worker', 'worker', 'app'] as const
  const doomed = doomedRoles.map((role) => place.start(role))
  const all = [app, steady, ...doomed]
  const doors = ['', '']
  const replaced = (which: number): void => {
    const service = place.start(doomedRoles[which]!)
    doomed[which] = service
    all.push(service)
    if (doomedRoles[which] === 'app')
      void service.serving().then(
        ({ webhooks }) => doors.splice(1, 1, webhooks),
        () => undefined,
      )
  }
  doors.splice(0, 2, ...(await Promise.all([app, doomed[2]!].map(async (one) => (await one.serving()).webhooks))))
  await Promise.all(all.map((one) => one.serving()))
  const before = [app, steady].map(takenBy)

  const promises = plans.map((): Promised => ({ triggerMs: null, alerted: false, askers: new Set(), approved: false }))
  const ending = new AbortController()
  stand.faults.add(...faultsOf(options.chance, options.mostLateMs))
  const begin = performance.now()
  const passed = (): string => `${Math.round((performance.now() - begin) / 1000)} s`
  const owners = approveAll(stand, plans, promises, ending.signal)
  const blows = deal({ ...options.blows, withinMs: options.withinMs * 1.2 }, place, doomed, replaced, chance)
  await Promise.all(plans.map((plan) => beginOne(place, doors, plan, promises[plan.index]!, ending.signal)))
  await blows
  tell(`${passed()}: all ${plans.length} incidents have begun, nothing is killed any more`)
  const inTime = await allJudged(place, plans.length, owners.busy, options.withinMs)
  stand.faults.clear()
  const struck = stand.faults.struck()
  tell(`${passed()}: the last of ${struck.length} faults${inTime ? '' : '; not all incidents have their verdict by now'}`)
  const rest = await restOf(place, options)
  tell(`${passed()}: ${rest.afterMs === null ? 'not at rest' : 'at rest'}`)
  ending.abort()
  await owners.ended

  const store = await place.store()
  const incidents = await store.incidents({ state: 'any', most: plans.length + 100 })
  const entries = await store.ledger(1, 100_000)
  const aside = await store.aside(1_000)
  const after = [app, steady].map(takenBy)
  const outcome = outcomeOf(plans, promises, incidents)
  const signed = wronglySigned(incidents, entries)
  const broken = all.flatMap(({ log }) => log.filter(({ message }) => message === 'a job is given up' || message === 'a job broke'))
  const former = ascending(formerCopies(posted(stand)))
  const half = halfSeen(plans, incidents, stand)
  const waited = waits(plans, promises, incidents, stand)
  const chain = verify(entries, secrets.LEDGER_KEY)
  const { standing } = rest
  for (const says of [...standing.wrong, ...outcome.wrong, ...signed, ...broken.map((line) => JSON.stringify(line))].slice(0, 30)) {
    tell(`  wrong: ${says}`)
  }
  const most = `${restMs / 1000} s`
  return [
    figure('faults of Slack that struck', `${struck.length}: ${byKind(struck.map(({ fault }) => fault.kind))}`),
    figure('processes killed; Redis killed and started', `${options.blows.kills}; ${options.blows.restarts}`),
    held(
      'at rest after the last fault',
      rest.afterMs === null ? `not within ${most}` : `${Math.round(rest.afterMs / 1000)} s`,
      `≤ ${most}`,
      rest.afterMs !== null,
    ),
    count('pipelines with one incident', outcome.single, plans.length),
    count('incidents with one verdict', outcome.judged, plans.length),
    count('triggers that were taken and are lost', outcome.lostTriggers, 0),
    count('approvals that were taken and are lost', outcome.lostApprovals, 0),
    count('messages that are lost', standing.lost, 0),
    count('copies that stand', standing.copies, 0),
    count('messages that are not as they should be', standing.wrong.length, 0),
    figure('messages that stand', `${standing.messages}, of which ${standing.pictureless} lack their picture`),
    figure('copies that stood meanwhile', former.length === 0 ? 'none' : `${former.length}, for ${quantiles(former)}`),
    held('ledger', `${entries.length} entries, ${chain.holds ? 'the chain holds' : 'the chain is broken'}`, 'it holds', chain.holds),
    count('proposals not opened or approved once', signed.length, 0),
    figure('approvals', `${promises.filter(({ approved }) => approved).length}`),
    count('verdicts that name the source that refused', half.said, half.all),
    count('jobs given up and inputs set aside', broken.length + aside.length, 0),
    figure('trigger to home message', quantiles(waited.home)),
    figure('trigger to verdict', quantiles(waited.verdict)),
    figure('an app that was not killed took', grown(before[0]!, after[0]!)),
    figure('a worker that was not killed took', grown(before[1]!, after[1]!)),
  ]
}

/** @param doors where the two senders of an alert bring it, as it is at that moment */
async function beginOne({ stand }: Town, doors: readonly string[], plan: Plan, promised: Promised, signal: AbortSignal): Promise<void> {
  const { index, pipeline, channel, elsewhere, by } = plan
  await sleep(plan.atMs)
  const took = (atMs: number | undefined): void => {
    if (atMs !== undefined) promised.triggerMs = Math.min(promised.triggerMs ?? atMs, atMs)
  }
  const asked = async (where: string): Promise<void> => {
    const user = askerOf(index)
    const taken = await askUntilTaken(stand, { user, channel: where, pipeline }, signal)
    if (taken === null) return
    promised.askers.add(user)
    took(taken.atMs)
  }
  const alerted = async (): Promise<void> => {
    const senders = await Promise.all(doors.map((_, sender) => alertUntilTaken(() => doors[sender]!, pipeline, signal)))
    promised.alerted = senders.some((one) => one !== null)
    for (const one of senders) took(one?.atMs)
  }
  await Promise.all([...(by === 'command' ? [] : [alerted()]), ...(by === 'alert' ? [] : [asked(channel)])])
  if (elsewhere !== null) await asked(elsewhere)
}

/** @returns whether it was so in time */
async function allJudged(place: Town, number: number, busy: () => number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  const store = await place.store()
  while (performance.now() < until) {
    const incidents = await store.incidents({ state: 'any', most: number + 100 }).catch(() => [])
    if (incidents.filter(({ verdict }) => verdict !== null).length >= number && busy() === 0) return true
    await sleep(1_000)
  }
  return false
}

interface Rest {
  readonly standing: Standing
  /** Since the last fault; null = it never was. */
  readonly afterMs: number | null
}

async function restOf(place: Town, { restMs, watchMs, quiet }: StormOptions): Promise<Rest> {
  const store = await place.store()
  const begin = performance.now()
  for (let afterMs: number | null = null; ; ) {
    const standing = compare(await slots(place.redis.url, store), posted(place.stand), quiet)
    const nowMs = performance.now() - begin
    // What was at rest and is not any more was not at rest.
    afterMs = standing.wrong.length > 0 ? null : (afterMs ?? nowMs)
    if (nowMs >= (afterMs === null ? restMs : watchMs)) return { standing, afterMs }
    await sleep(lookEveryMs)
  }
}

function byKind(kinds: readonly string[]): string {
  const counts = Map.groupBy(kinds, (kind) => kind)
  return [...counts].map(([kind, all]) => `${all.length} ${kind}`).join(', ')
}
