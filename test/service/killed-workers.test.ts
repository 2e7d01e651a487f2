/**
 * Workers are killed (SIGKILL) twenty times at moments drawn from a seed, while ten incidents are asked for, judged and signed off. No
 * process gets to say a word before it ends; whatever it was doing, the next one brings it to its end, once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Incident } from '../../src/incident/incident.ts'
import { verify } from '../../src/signoff/verify.ts'
import { redisProgram } from '../rig/toolchain.ts'
import type { Service, Town } from './town.ts'
import { alert, ask, channelOf, eventually, homes, secrets, town } from './town.ts'

const kills = 20
const seed = 20_261_130
const pipelines = Array.from({ length: 10 }, (_, i) => `orders-${i}`)
/** Nothing is left to do this long after the last kill, ms. */
const restMs = 120_000

/** Below 1: mulberry32. */
function drawer(state: number): () => number {
  let at = state
  return () => {
    at = (at + 0x6d2b79f5) >>> 0
    let t = at
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

test.skipIf(redisProgram() === null)(
  `${kills} kills of workers over ${pipelines.length} incidents: one verdict, one home message and one approval of each`,
  { timeout: 360_000 },
  async () => {
    const draw = drawer(seed)
    const place = await town({ pipelines, weather: 'nasty', redis: { appendonly: 'yes' } })
    const app = place.start('app')
    const { webhooks } = await app.serving()
    const newWorker = (): Service => place.start('worker', { looks: [300, 200] })
    const workers = [newWorker(), newWorker()]
    await Promise.all(workers.map((worker) => worker.serving()))
    const owner = owners(place)
    let during = 0
    for (let i = 0; i < kills; i++) {
      // One after the other, so that something is under way at every kill.
      const asked = i / 2
      if (Number.isInteger(asked)) await Promise.all([ask(place, pipelines[asked]!, channelOf(asked)), alert(webhooks, pipelines[asked]!)])
      const which = draw() < 0.5 ? 0 : 1
      await workers[which]!.serving()
      await sleep(draw() * 2_500)
      if (!(await isCalm(place))) during++
      const { code } = await workers[which]!.end('SIGKILL')
      expect(code).toBeNull()
      workers[which] = newWorker()
    }
    const begin = performance.now()
    const store = await place.store()
    await eventually(async () => (await store.incidents({ state: 'any', most: 100 })).every(isSigned), restMs)
    await eventually(() => pipelines.every((_, i) => isTold(place, channelOf(i))), restMs)
    await owner.stop()
    // Late copies are looked for up to a minute and a half after a post whose outcome nobody knows.
    await eventually(() => copies(place).length === 0, restMs)
    const incidents = await store.incidents({ state: 'any', most: 100 })
    const { messages } = place.stand.observer
    const removed = messages().filter(({ by, deleted }) => by === 'app' && deleted).length
    console.log(
      `${kills} kills, ${during} of them while something was under way; at rest ${Math.round((performance.now() - begin) / 1000)} s after the last; ` +
        `${removed} second copies stood meanwhile and were removed`,
    )

    expect(during).toBeGreaterThan(kills / 2)
    expect(incidents.map(({ pipeline }) => pipeline).toSorted()).toEqual(pipelines.toSorted())
    for (const incident of incidents) expect(incident.revisions.map(({ number, state }) => [number, state])).toEqual([[1, 'done']])
    for (const [i] of pipelines.entries()) expect(homes(place, channelOf(i))).toHaveLength(1)
    const entries = await store.ledger(1, 1_000)
    expect(verify(entries, secrets.LEDGER_KEY)).toMatchObject({ holds: true })
    const lines = entries.map(({ incident, what }) => `${incident} ${what}`)
    expect(lines.toSorted()).toEqual(incidents.flatMap(({ id }) => [`${id} approved`, `${id} opened`]).toSorted())
  },
)

const isSigned = ({ verdict, proposals }: Incident): boolean => verdict !== null && proposals.some(({ state }) => state === 'approved')

/** The home message says what is so now, with its picture. */
function isTold(place: Town, channel: string): boolean {
  const said = homes(place, channel).map(({ now }) => JSON.stringify(now.blocks))
  return said.length > 0 && said.every((blocks) => blocks.includes('approved by') && blocks.includes('"image"'))
}

/** Slots that stand more than once. */
function copies({ stand }: Town): string[] {
  const standing = stand.observer.messages().filter(({ by, deleted }) => by === 'app' && !deleted)
  const slots = standing.map(({ now }) => (now.metadata?.event_payload as { slot?: string } | undefined)?.slot ?? 'none')
  return slots.filter((slot, i) => slots.indexOf(slot) !== i)
}

async function isCalm(place: Town): Promise<boolean> {
  const store = await place.store()
  const incidents = await store.incidents({ state: 'any', most: 100 })
  return incidents.every(isSigned)
}

/** An owner who approves whatever can be approved, once. */
function owners(place: Town): { readonly stop: () => Promise<void> } {
  const pressed = new Set<string>()
  let stopped = false
  const going = (async () => {
    while (!stopped) {
      for (const { channel, ts, now } of homes(place)) {
        if (pressed.has(ts) || !JSON.stringify(now.blocks).includes('headwater_approve')) continue
        pressed.add(ts)
        await place.stand.observer.press({ user: 'U0BEN', in: { channel, ts }, on: 'headwater_approve' })
      }
      await sleep(200)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await going
    },
  }
}
