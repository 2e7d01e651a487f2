/** A storm of alerts by two senders that say the same: each pipeline has one incident, one message and one diagnosis. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { paced, quantile, quantiles } from '../bench/paced.ts'
import { bodyOf } from '../build/webhook.ts'
import type { TownOptions } from '../service/town.ts'
import { channelOf, homes, secrets, town } from '../service/town.ts'
import type { Promised } from './outcome.ts'
import { waits } from './outcome.ts'
import { grown, ownLateness, takenBy } from './resources.ts'
import type { Row } from './rows.ts'
import { count, figure, held } from './rows.ts'
import { diagnosesDone } from './saturation.ts'
import { compare, posted, slots } from './standing.ts'

export interface AlertStormOptions extends Pick<TownOptions, 'over'> {
  /** Deliveries: every second one says what the one before said. */
  readonly alerts: number
  readonly withinMs: number
  readonly pipelines: number
}

const goalMs = 200
const restMs = 240_000

export async function alertStorm({ alerts, withinMs, pipelines, over }: AlertStormOptions): Promise<readonly Row[]> {
  const names = Array.from({ length: pipelines }, (_, i) => `orders-${i}`)
  // Slack's limits hold here: they are what a storm of alerts meets.
  const place = await town({ pipelines: names, rateLimits: true, redis: { appendonly: 'yes' }, ...(over === undefined ? {} : { over }) })
  const app = place.start('app')
  const workers = [place.start('worker'), place.start('worker')]
  const { webhooks } = await app.serving()
  await Promise.all(workers.map((worker) => worker.serving()))
  const before = [app, ...workers].map(takenBy)
  const senders = [new Agent({ connections: 32 }), new Agent({ connections: 32 })]
  const statuses = new Map<number, number>()
  const promises = names.map((): Promised => ({ triggerMs: null, alerted: false, askers: new Set(), approved: false }))
  const own = ownLateness()
  const { took, failed } = await paced(alerts, withinMs, async (delivery) => {
    const number = Math.floor(delivery / 2)
    const i = number % pipelines
    const fingerprint = number.toString(16).padStart(16, '0')
    const body = JSON.stringify(bodyOf.alertmanager!([{ labels: { topic: names[i]! }, fingerprint }]))
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secrets.ALERTMANAGER}` }
    const sentMs = Date.now()
    const dispatcher = senders[delivery % 2]!
    const response = await request(`${webhooks}/webhooks/alertmanager`, { method: 'POST', body, headers, dispatcher })
    await response.body.dump()
    const { statusCode } = response
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    if (statusCode >= 300) return false
    const promised = promises[i]!
    promised.triggerMs = Math.min(promised.triggerMs ?? sentMs, sentMs)
    return true
  })
  const late = own.stop()
  await Promise.all(senders.map((sender) => sender.close()))
  const begin = performance.now()
  const store = await place.store()
  const look = async () => compare(await slots(place.redis.url, store), posted(place.stand), true)
  let standing = await look()
  const waiting = async (): Promise<number> =>
    (await Promise.all(names.map((name) => store.attend(name, 1)))).flatMap((one) => one.inputs).length
  while (performance.now() - begin < restMs && ((await waiting()) > 0 || standing.wrong.length > 0)) {
    await sleep(3_000)
    standing = await look()
  }
  const restedMs = performance.now() - begin
  const incidents = await store.incidents({ state: 'any', most: 1_000 })
  const heard = incidents.reduce((sum, { alerts: known }) => sum + Object.keys(known).length, 0)
  const plans = names.map((pipeline, index) => ({ pipeline, index }))
  const waited = waits(plans, promises, incidents, place.stand)
  const after = [app, ...workers].map(takenBy)
  const calls = place.stand.observer.calls()
  for (const says of standing.wrong.slice(0, 10)) console.log(`  wrong: ${says}`)
  return [
    figure('answers', [...statuses].map(([status, times]) => `${times.toLocaleString('en-US')} × ${status}`).join(', ')),
    held('answered with 2xx after', quantiles(took), `p99 < ${goalMs} ms`, quantile(took, 0.99) < goalMs),
    figure('this process itself came late', late),
    count('deliveries not taken', failed, 0),
    count('incidents', incidents.length, pipelines),
    count(
      'home messages',
      names.reduce((sum, _, i) => sum + homes(place, channelOf(i)).length, 0),
      pipelines,
    ),
    count('diagnoses', await diagnosesDone(workers), pipelines),
    count('alerts that the incidents know of', heard, alerts / 2),
    count('messages lost, copies that stand', standing.lost + standing.copies, 0),
    held('at rest after the last alert', `${Math.round(restedMs / 1000)} s`, `≤ ${restMs / 1000} s`, standing.wrong.length === 0),
    figure('calls to Slack', `${calls.length}, of which ${calls.filter(({ error }) => error === 'ratelimited').length} were too many`),
    figure('trigger to home message', quantiles(waited.home)),
    figure('trigger to verdict', quantiles(waited.verdict)),
    figure('the app took', grown(before[0]!, after[0]!)),
    figure('a worker took', grown(before[1]!, after[1]!)),
  ]
}
