/** The service as its users have it: processes over a real Redis, before a stand-in of Slack. */
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { redisProgram } from '../rig/toolchain.ts'
import type { Service, Town } from './town.ts'
import { alert, amara, ask, channel, channelOf, eventually, homes, secrets, town } from './town.ts'

const verdict = 'one partition takes more than its reader can work off'
const seen: Service[] = []

function begin(place: Town, ...how: Parameters<Town['start']>): Service {
  const service = place.start(...how)
  seen.push(service)
  return service
}

/** Of every process of a test: no secret got out, and what is about a message says of which incident. */
afterEach(() => {
  for (const { stdout, stderr, log } of seen.splice(0)) {
    for (const secret of Object.values(secrets)) expect(stdout() + stderr()).not.toContain(secret)
    for (const line of log.filter(({ slot }) => typeof slot === 'string')) expect(line.incident).toMatch(/^i-\d{8}-/)
  }
})

/** Of a PNG, pixels. */
const widthOf = (png: Uint8Array): number => new DataView(png.buffer, png.byteOffset).getUint32(16)

const hasPicture = (blocks: readonly unknown[]): boolean => blocks.some((one) => (one as { type?: string }).type === 'image')

describe.skipIf(redisProgram() === null)('a service', () => {
  test('is asked: one message at once, edited to the verdict with its picture, and one short reply', async () => {
    const place = await town()
    const service = begin(place, 'all', { looks: [1_000, 0] })
    await service.serving()
    await ask(place, 'orders')
    await eventually(() => homes(place).length > 0, 5_000)
    expect(homes(place)[0]!.versions[0]!.text).toContain('orders: looking at the whole path')
    await eventually(() => homes(place).some(({ now }) => hasPicture(now.blocks)), 20_000)
    const [home, ...others] = homes(place)
    expect(others).toEqual([])
    expect(home!.now.text).toContain(verdict)
    const pictures = [...place.stand.workspace.files.values()]
    expect(pictures.map(({ bytes }) => widthOf(bytes!))).toEqual([1600])
    const thread = () => place.stand.observer.messages(channel).filter(({ threadTs }) => threadTs === home!.ts)
    // That it came, what it rests on, and what is proposed.
    await eventually(() => thread().length === 3, 10_000)
    const replies = thread().map(({ now }) => now.text.split('\n', 1)[0])
    expect(replies).toEqual([
      `orders: ${verdict}`,
      'Evidence, what was ruled out, and commands to check it',
      expect.stringContaining('Proposal: '),
    ])
  })

  test('hears of an alert: the verdict stands in the channel of its pipeline, once', async () => {
    const place = await town()
    const service = begin(place, 'all')
    const { webhooks, operations } = await service.serving()
    const answers = await Promise.all([alert(webhooks, 'orders'), alert(webhooks, 'orders')])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    await eventually(() => homes(place).some(({ now }) => now.text.includes(verdict)), 20_000)
    expect(homes(place)).toHaveLength(1)
    expect(homes(place)[0]!.now.text).toContain('ConsumerLag')
    const figures = await (await fetch(`${operations}/metrics`)).text()
    expect(figures).toContain('headwater_jobs_total{kind="diagnose",outcome="done"} 1')
    expect(figures).toMatch(/headwater_queue_jobs\{lane="slow",state="active"\} 0/)
    expect(await (await fetch(`${operations}/readyz`)).json()).toEqual({ ready: true })
  })

  test('in three processes is one: two workers and an app that alerts and a person ask', async () => {
    const pipelines = ['orders', 'payments', 'clicks']
    const place = await town({ pipelines })
    const app = begin(place, 'app')
    const workers = [begin(place, 'worker', { looks: [500, 0] }), begin(place, 'worker', { looks: [500, 0] })]
    const { webhooks } = await app.serving()
    const at = await Promise.all(workers.map((worker) => worker.serving()))
    expect(at.map((one) => one.webhooks)).toEqual(['', ''])
    // Who takes in answers; who works is asked for its health as well.
    for (const { operations } of at) expect(await (await fetch(`${operations}/readyz`)).json()).toEqual({ ready: true })
    await Promise.all(pipelines.flatMap((name, i) => [alert(webhooks, name), ask(place, name, channelOf(i)), alert(webhooks, name)]))
    await eventually(() => pipelines.every((_, i) => homes(place, channelOf(i)).some(({ now }) => now.text.includes(verdict))), 30_000)
    expect(pipelines.map((_, i) => homes(place, channelOf(i)).length)).toEqual([1, 1, 1])
    const store = await place.store()
    const incidents = await store.incidents({ state: 'any', most: 10 })
    expect(incidents.map(({ pipeline, revisions }) => `${pipeline} ${revisions.length}`).toSorted()).toEqual([
      'clicks 1',
      'orders 1',
      'payments 1',
    ])
    const looked = workers.map((worker) => worker.log.filter(({ message }) => message === 'a pipeline was looked at').length)
    expect(looked[0]! + looked[1]!).toBe(3)
    expect(app.said('a pipeline was looked at')).toBe(false)
  })

  test('is asked to stop while it looks: it hands back in time, and the next process brings the verdict', async () => {
    const place = await town()
    const first = begin(place, 'all', { looks: [5_000, 2_300] })
    await first.serving()
    await ask(place, 'orders')
    await eventually(() => homes(place).length === 1, 5_000)
    const { code, ms } = await first.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(ms).toBeGreaterThan(5_000)
    expect(homes(place)[0]!.now.text).toContain('looking at the whole path')
    const second = begin(place, 'all')
    await second.serving()
    await eventually(() => homes(place)[0]!.now.text.includes(verdict), 15_000)
    expect(homes(place)).toHaveLength(1)
  })

  test('that has nothing to do stops at once; asked twice, it does not even wait for what it does', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const place = await town({ broker: `127.0.0.1:${(silent.address() as AddressInfo).port}` })
    const idle = begin(place, 'all', { looks: 'real' })
    await idle.serving()
    const { code, ms } = await idle.end('SIGTERM')
    expect([code, idle.stderr().includes('stopping: what is under way is finished or handed back')]).toEqual([0, true])
    expect(ms).toBeLessThan(4_000)
    const busy = begin(place, 'all', { looks: 'real' })
    await busy.serving()
    await ask(place, 'orders')
    await eventually(() => homes(place).length === 1, 5_000)
    busy.child.kill('SIGTERM')
    await eventually(() => busy.stderr().includes('stopping'), 2_000)
    const hurried = await busy.end('SIGTERM')
    expect(hurried.code).toBe(130)
    expect(hurried.ms).toBeLessThan(1_000)
  })

  test('waits for a Redis that is away, answers meanwhile, and goes on when it comes, goes and comes again', async () => {
    const place = await town({ redis: { appendonly: 'yes', appendfsync: 'always' } })
    await place.redis.kill()
    const service = begin(place, 'all')
    await eventually(() => service.said('Redis is away; the service waits for it and goes on by itself'), 20_000)
    await eventually(() => place.stand.socket.connections() > 0, 15_000)
    await ask(place, 'orders')
    await eventually(() => place.stand.observer.shownOnlyTo(amara).length === 1, 5_000)
    expect(place.stand.observer.shownOnlyTo(amara)[0]!.now.text).toContain('my store does not answer')
    await place.redis.start()
    const { operations } = await service.serving()
    await ask(place, 'orders')
    await eventually(() => homes(place).some(({ now }) => now.text.includes(verdict)), 20_000)
    await place.redis.kill()
    await eventually(async () => (await fetch(`${operations}/readyz`)).status === 503, 10_000)
    expect((await fetch(`${operations}/healthz`)).status).toBe(200)
    await place.redis.start()
    await eventually(async () => (await fetch(`${operations}/readyz`)).status === 200, 15_000)
    expect(homes(place)).toHaveLength(1)
    await place.redis.kill()
    await eventually(async () => (await fetch(`${operations}/readyz`)).status === 503, 10_000)
    const { code, ms } = await service.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
  })

  test('refuses a Redis that throws keys away, and says how to mend it', async () => {
    const place = await town({ redis: { 'maxmemory-policy': 'allkeys-lru' } })
    const service = begin(place, 'worker', { looks: 'real' })
    await eventually(() => service.child.exitCode !== null, 20_000)
    expect(service.child.exitCode).toBe(1)
    expect(service.stderr()).toContain('redis-cli CONFIG SET maxmemory-policy noeviction')
    const warned = await town({ redis: { 'maxmemory-policy': 'allkeys-lru' }, redisLines: '  evicts: warn\n' })
    const going = begin(warned, 'worker', { looks: 'real' })
    await going.serving()
    expect(going.said('Redis could lose what is stored in it')).toBe(true)
  })

  test('without anything that could be read, the verdict says so and why', async () => {
    const place = await town()
    const service = begin(place, 'all', { looks: 'real' })
    await service.serving()
    await ask(place, 'orders')
    await eventually(() => homes(place).some(({ now }) => now.text.includes('inconclusive')), 20_000)
    const thread = () => place.stand.observer.messages(channel).map(({ now }) => JSON.stringify(now.blocks) + now.text)
    await eventually(() => thread().some((text) => text.includes('127.0.0.1:1 refused the connection')), 10_000)
  })
})
