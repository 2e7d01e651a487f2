/** More than anybody should send, while all workers are busy: whoever waits is answered at once, and each incident is still one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { redisProgram } from '../rig/toolchain.ts'
import type { Town } from './town.ts'
import { alerts, amara, ask, channelOf, eventually, homes, town } from './town.ts'

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `orders-${i}`)
/** Of the stand-in's workspace. */
const owner = 'U0BEN'
/** Slack itself waits 3 s; whoever types waits less gladly, ms. */
const mostMs = 200

/** `each` for every number below `count`, evenly over so long; nobody waits for the one before. @returns how long each took, ms, ascending */
async function timed(count: number, overMs: number, each: (i: number) => Promise<void>): Promise<number[]> {
  const took = Array.from({ length: count }, async (_, i) => {
    await sleep((i * overMs) / count)
    const begin = performance.now()
    await each(i)
    return performance.now() - begin
  })
  return (await Promise.all(took)).toSorted((a, b) => a - b)
}

const p99 = (took: readonly number[]): number => took[Math.ceil(took.length * 0.99) - 1]!

/** Home messages of each pipeline, and looks at it that were asked for. */
async function ofEach(place: Town, pipelines: readonly string[]): Promise<string[]> {
  const incidents = await (await place.store()).incidents({ state: 'any', most: 1_000 })
  return pipelines.map((name, i) => {
    const own = incidents.filter(({ pipeline }) => pipeline === name)
    return `${own.length} incident, ${homes(place, channelOf(i)).length} home, ${own.flatMap(({ revisions }) => revisions).length} look`
  })
}

async function untilTold(place: Town, pipelines: readonly string[]): Promise<void> {
  const isTold = (i: number): boolean =>
    homes(place, channelOf(i)).some(({ now }) => now.text.includes('more than its reader can work off'))
  await eventually(() => pipelines.every((_, i) => isTold(i)), 150_000)
}

const once = '1 incident, 1 home, 1 look'

describe.skipIf(redisProgram() === null)('a service with busy workers', () => {
  test('1,000 commands about 10 pipelines', { timeout: 240_000 }, async () => {
    const pipelines = names(10)
    const place = await town({ pipelines })
    const services = [place.start('app'), place.start('worker', { looks: [1_000, 0] }), place.start('worker', { looks: [1_000, 0] })]
    await Promise.all(services.map((service) => service.serving()))
    const took = await timed(1_000, 8_000, async (i) => {
      const at = i % pipelines.length
      expect((await ask(place, pipelines[at]!, channelOf(at)))?.kind).toBe('acknowledged')
    })
    console.log(`1,000 commands: acknowledged in ${took[500]!.toFixed(0)} ms (p50), ${p99(took).toFixed(0)} ms (p99)`)
    expect(p99(took)).toBeLessThan(mostMs)
    await untilTold(place, pipelines)
    expect(await ofEach(place, pipelines)).toEqual(pipelines.map(() => once))
  })

  test('500 presses about 10 pipelines by somebody who may not decide, and then by an owner', { timeout: 240_000 }, async () => {
    const pipelines = names(40)
    const told = pipelines.slice(0, 10)
    const place = await town({ pipelines })
    const { observer } = place.stand
    const services = [place.start('app'), place.start('worker', { looks: [3_000, 0] }), place.start('worker', { looks: [3_000, 0] })]
    await Promise.all(services.map((service) => service.serving()))
    for (const [i, name] of told.entries()) await ask(place, name, channelOf(i))
    const canBeApproved = (i: number): boolean =>
      homes(place, channelOf(i)).some(({ now }) => JSON.stringify(now.blocks).includes('headwater_approve'))
    await eventually(() => told.every((_, i) => canBeApproved(i)), 120_000)
    // All places of the workers are taken by the others while it is pressed.
    for (const [i, name] of pipelines.entries()) if (i >= told.length) await ask(place, name, channelOf(i))
    const ts = told.map((_, i) => homes(place, channelOf(i))[0]!.ts)
    const press = (i: number, user: string) => observer.press({ user, in: { channel: channelOf(i), ts: ts[i]! }, on: 'headwater_approve' })
    // Acknowledged is what Slack hears within 3 s; how soon, while others are looked at, says more of this machine (see test/storm).
    const took = await timed(500, 8_000, async (i) => {
      expect((await press(i % told.length, amara))?.kind).toBe('acknowledged')
    })
    console.log(`500 presses: acknowledged in ${took[250]!.toFixed(0)} ms (p50), ${p99(took).toFixed(0)} ms (p99)`)
    for (const i of told.keys()) expect((await press(i, owner))?.kind).toBe('acknowledged')
    const store = await place.store()
    const decisions = async () => (await store.ledger(1, 1_000)).filter(({ what }) => what !== 'opened')
    await eventually(async () => (await decisions()).length === told.length, 60_000)
    expect(new Set((await decisions()).map(({ what, pipeline }) => `${what} ${pipeline}`))).toEqual(
      new Set(told.map((name) => `approved ${name}`)),
    )
    // Whoever may not decide is told so, each time.
    const refused = () => observer.shownOnlyTo(amara).filter(({ now }) => now.text.includes('Only an owner of this pipeline may decide'))
    await eventually(() => refused().length === 500, 60_000)
  })

  test('10,000 alerts about 40 pipelines from a doubled sender', { timeout: 240_000 }, async () => {
    const pipelines = names(40)
    const place = await town({ pipelines })
    const [app, ...workers] = [place.start('app'), place.start('worker'), place.start('worker')]
    const { webhooks } = await app.serving()
    await Promise.all(workers.map((service) => service.serving()))
    const begin = performance.now()
    // 100 deliveries of 50 alerts, each by two senders.
    const took = await timed(200, 25_000, async (i) => {
      const delivery = i >> 1
      const firing = Array.from({ length: 50 }, (_, j) => ({
        pipeline: pipelines[(delivery * 50 + j) % 40]!,
        fingerprint: `f-${delivery}-${j}`,
      }))
      expect((await alerts(webhooks, firing)).status).toBe(202)
    })
    const seconds = (performance.now() - begin) / 1000
    console.log(`10,000 alerts in ${seconds.toFixed(1)} s: a delivery of 50 acknowledged in ${p99(took).toFixed(0)} ms (p99)`)
    expect(seconds).toBeLessThan(30)
    expect(p99(took)).toBeLessThan(mostMs)
    await untilTold(place, pipelines)
    expect(await ofEach(place, pipelines)).toEqual(pipelines.map(() => once))
  })
})
