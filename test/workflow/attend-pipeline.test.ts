/** What came in for a pipeline is dealt with, each input once, and none of them can stop the others. */
import { describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import type { Input } from '../../src/incident/input.ts'
import type { Unmapped } from '../../src/incident/unmapped.ts'
import { noPipeline } from '../../src/incident/unmapped.ts'
import { plain } from '../../src/report/plain.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { AttendPorts } from '../../src/workflow/attend-pipeline.ts'
import { attendPipeline } from '../../src/workflow/attend-pipeline.ts'
import { housesOf } from '../../src/workflow/house.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import { attendPorts, ordersAudience } from '../build/attend-ports.ts'
import { alert, command, noon, press } from '../build/stored-values.ts'

async function dealtWith(inputs: readonly Input[], over: Partial<AttendPorts> = {}, pipeline = 'orders') {
  const store = memoryStore(() => noon)
  for (const input of inputs) await store.put(input)
  await attendPipeline(
    pipeline,
    attendPorts(store, () => noon, over),
  )
  const jobs = await store.asked(noon, 100)
  return { store, jobs: jobs.filter(({ kind }) => kind !== 'attend').map(({ kind, of }) => `${kind} ${of}`) }
}

const left = async (store: Store, pipeline = 'orders') => (await store.attend(pipeline, 300)).inputs.length

test('a question and two alerts are one incident, told in two channels, looked at once', async () => {
  const { store, jobs } = await dealtWith([command('c'), alert('a'), alert('b', { fingerprint: 'fresh' })])
  const { incident } = await store.attend('orders', 1)
  const id = incident!.id
  expect(id).toMatch(/^i-20261130-orders-[0-9a-f]{8}$/)
  expect(incident?.triggers.map(({ key }) => key)).toEqual(['c', 'a', 'b'])
  expect(incident?.tellings.map(({ channel, role }) => `${role} ${channel}`)).toEqual(['home C1', 'companion C-alerts'])
  expect(jobs).toEqual([`diagnose ${id}`, `tick ${id}`, `send ${id}/home`, `send ${id}/companion/C-alerts`])
  expect(await left(store)).toBe(0)
})

test('a press on a button of an incident that is over is answered to its presser alone', async () => {
  const { store, jobs } = await dealtWith([press('p')])
  expect(jobs).toEqual(['send alone/p'])
  expect((await store.wanted('alone/p'))?.wanted).toMatchObject({
    channel: 'C1',
    alone: { actor: { team: 'T1', user: 'U1' }, answerTo: null },
    text: 'This button belongs to an incident that is closed.',
  })
})

describe('an input that cannot be dealt with', () => {
  /** Rules that break over one of the inputs. */
  const breaking = (key: string, error: Error): Partial<AttendPorts> => ({
    house: (pipeline) => {
      const house = housesOf([ordersAudience], 'T1', null)(pipeline)
      return {
        ...house,
        idOf: (input) => {
          if (input.key === key) throw error
          return house.idOf(input)
        },
      }
    },
  })

  test('is set aside with its error, told, and neither stops the others nor comes back', async () => {
    const told: string[] = []
    const asideTold = (input: Input, error: unknown) => told.push(`${input.key}: ${String(error)}`)
    const inputs = [command('a'), command('b', { atMs: noon + 1 }), command('c', { channel: 'C2' })]
    const about: string[] = []
    const aboutIncident = (id: string): void => void about.push(id)
    const { store, jobs } = await dealtWith(inputs, { ...breaking('b', new TypeError('x is undefined')), asideTold, aboutIncident })
    const { incident } = await store.attend('orders', 1)
    expect(incident?.triggers.map(({ key }) => key)).toEqual(['a', 'c'])
    expect(await store.aside(10)).toEqual([{ input: inputs[1], atMs: noon, why: 'x is undefined' }])
    expect(told).toEqual(['b: TypeError: x is undefined'])
    expect(await left(store)).toBe(0)
    // The log names the incident, and so does the slot.
    expect(about).toContain(incident!.id)
    expect(jobs).toContain(`send ${incident!.id}/alone/b`)
    expect((await store.wanted(`${incident!.id}/alone/b`))?.wanted.text).toContain('could not deal with this')
  })

  test('is no input that another time may do for', async () => {
    const store = memoryStore(() => noon)
    await store.put(command('a'))
    const away = breaking('a', new HeadwaterError('store_unavailable', 'Redis is away'))
    await expect(
      attendPipeline(
        'orders',
        attendPorts(store, () => noon, away),
      ),
    ).rejects.toThrow('Redis is away')
    expect([await left(store), await store.aside(10)]).toEqual([1, []])
  })

  test('is one of a pipeline that is configured no longer', async () => {
    const { store } = await dealtWith([alert('a', { pipeline: 'payments' })], {}, 'payments')
    expect(await store.aside(10)).toMatchObject([{ why: 'the configuration has no pipeline payments' }])
    expect(await left(store, 'payments')).toBe(0)
  })
})

describe('alerts that no pipeline means', () => {
  const unmapped = (n: number, over: Partial<Unmapped> = {}): Unmapped => ({
    kind: 'unmapped',
    key: `unmapped/json/${n}/2026-11-30`,
    atMs: noon,
    pipeline: noPipeline,
    format: 'json',
    fingerprint: `${n}`,
    name: 'LagHigh',
    labels: { topic: `topic-${n}` },
    summary: '',
    url: null,
    ...over,
  })
  const slots = async (store: Store) => (await store.asked(noon, 1_000)).filter(({ kind }) => kind === 'send').map(({ of }) => of)
  const told = async (store: Store) => {
    const { wanted } = (await store.wanted((await slots(store))[0]!))!
    return [
      wanted.channel,
      wanted.text,
      ...wanted.body.flatMap((block) => (block.kind === 'list' ? block.items.map((one) => plain(one.text)) : [])),
    ]
  }

  test('are told with the line that maps them', async () => {
    const { store } = await dealtWith([unmapped(1, { labels: { topic: "o'clock", team: 'data' } })], {}, noPipeline)
    expect(await told(store)).toEqual([
      'C-unmapped',
      'Alert LagHigh belongs to no pipeline, so nothing was looked at',
      `- matchers: ['topic="o''clock"', 'team="data"']`,
    ])
    expect(await store.incidents({ state: 'open', most: 10 })).toEqual([])
  })

  test('a storm of them is one message, and nothing is looked at', async () => {
    const store = memoryStore(() => noon)
    const ports = attendPorts(store, () => noon)
    for (let n = 0; n < 500; n++) {
      await store.put(unmapped(n))
      if (n % 100 === 7) await attendPipeline(noPipeline, ports)
    }
    await attendPipeline(noPipeline, ports)
    expect(new Set(await slots(store)).size).toBe(1)
    expect(new Set((await store.asked(noon, 1_000)).map(({ kind }) => kind))).toEqual(new Set(['attend', 'send']))
    expect((await told(store)).slice(0, 3)).toEqual([
      'C-unmapped',
      '500 alerts belong to no pipeline, so nothing was looked at',
      `- matchers: ['topic="topic-499"']`,
    ])
    expect(await left(store, noPipeline)).toBe(0)
  })

  test('an hour later it is another message, because nobody hears of an edit', async () => {
    let now = noon
    const store = memoryStore(() => now)
    const ports = attendPorts(store, () => now)
    for (const [n, after] of [0, 3_599_999, 3_600_000].entries()) {
      now = noon + after
      await store.put(unmapped(n, { atMs: now }))
      await attendPipeline(noPipeline, ports)
    }
    const all = await slots(store)
    expect([all.length, new Set(all).size]).toEqual([3, 2])
  })

  test('without a channel they are only counted', async () => {
    const { store, jobs } = await dealtWith([unmapped(1)], { house: housesOf([], 'T1', null) }, noPipeline)
    expect([jobs, await left(store, noPipeline)]).toEqual([[], 0])
  })
})
