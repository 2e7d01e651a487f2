/** What every queue promises, tried on each of them. Times are in ms and may be later, never earlier. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import type { Job } from '../../src/workflow/incident-ports.ts'
import { job } from '../build/stored-values.ts'
import type { OpenQueue } from '../fakes/queues.ts'
import { bullmqKind, inProcessKind } from '../fakes/queues.ts'

/** More than any of them needs to do a job that is due. */
const soon = 400

const away = () => new HeadwaterError('store_unavailable', 'Redis is away')

function now({ clock }: OpenQueue, key: string, over: Partial<Job> = {}): Job {
  return job(key, { kind: 'attend', dueAtMs: clock.nowMs(), ...over })
}

/** Works by writing down which job was begun and when. */
async function writeDown(open: OpenQueue, then: (job: Job, signal: AbortSignal) => Promise<number | null | undefined> = async () => {}) {
  const begun: { readonly key: string; readonly atMs: number; readonly job: Job }[] = []
  await open.queue.work(async (one, signal) => {
    begun.push({ key: one.key, atMs: open.clock.nowMs(), job: one })
    return (await then(one, signal)) ?? null
  })
  return { begun, keys: () => begun.map(({ key }) => key) }
}

for (const kind of [inProcessKind(), bullmqKind()]) {
  describe.skipIf(!kind.here)(`a queue ${kind.name}`, { concurrent: true }, () => {
    beforeAll(kind.begin)
    afterAll(kind.end)

    test('does a job once, however often it is added, also when it is done', async () => {
      const open = await kind.open()
      const one = now(open, 'i-1/look: 2 %\ud800/', { with: { revision: 2, why: 'ünusual "words"' } })
      await open.queue.add([one, one])
      await open.queue.add([one, now(open, '7')])
      const { begun, keys } = await writeDown(open)
      await open.pass(soon)
      await open.queue.add([one])
      await open.pass(soon)
      expect(keys().toSorted()).toEqual(['7', one.key])
      expect(begun.find(({ key }) => key === one.key)?.job).toEqual(one)
      await open.close(0)
    })

    test('does a job not before it is due', async () => {
      const open = await kind.open()
      const { begun, keys } = await writeDown(open)
      const start = open.clock.nowMs()
      await open.queue.add([now(open, 'later', { dueAtMs: start + 600 }), now(open, 'now'), now(open, 'overdue', { dueAtMs: 0 })])
      await open.pass(300)
      expect(keys().toSorted()).toEqual(['now', 'overdue'])
      await open.pass(300 + soon)
      expect(keys()).toContain('later')
      expect(begun[2]!.atMs).toBeGreaterThanOrEqual(start + 600)
      await open.close(0)
    })

    test('tries again after growing pauses where that can help', async () => {
      const open = await kind.open()
      let failures = 4
      const { begun } = await writeDown(open, async () => {
        if (failures-- > 0) throw away()
      })
      await open.queue.add([now(open, 'a')])
      await open.pass(100 + 200 + 400 + 400 + 2 * soon)
      const pauses = begun.slice(1).map(({ atMs }, i) => atMs - begun[i]!.atMs)
      expect(pauses).toHaveLength(4)
      for (const [i, least] of [100, 200, 400, 400].entries()) {
        expect(pauses[i]).toBeGreaterThanOrEqual(least)
        expect(pauses[i]).toBeLessThan(least + soon)
      }
      expect(open.told).toEqual(Array.from({ length: 4 }, () => 'a: Redis is away, again'))
      await open.close(0)
    })

    test('runs a job again when it asks for that, and counts no failure', async () => {
      const open = await kind.open()
      let left = 3
      const { begun } = await writeDown(open, async () => {
        if (left-- === 0) throw away()
        return left >= 0 ? open.clock.nowMs() + 250 : null
      })
      await open.queue.add([now(open, 'a')])
      await open.pass(3 * 250 + 100 + 2 * soon)
      // Three times as late as asked for; then it fails for the first time, so the first pause is the shortest.
      const pauses = begun.slice(1).map(({ atMs }, i) => atMs - begun[i]!.atMs)
      expect(pauses).toHaveLength(4)
      for (const [i, least] of [250, 250, 250, 100].entries()) {
        expect(pauses[i]).toBeGreaterThanOrEqual(least)
        expect(pauses[i]).toBeLessThan(least + soon / 2)
      }
      expect(open.told).toEqual(['a: Redis is away, again'])
      await open.queue.add([now(open, 'a')])
      await open.pass(soon)
      expect(begun).toHaveLength(5)
      await open.close(0)
    })

    test('holds the place of a job that is to run again: adding it is no second job', async () => {
      const open = await kind.open()
      const start = open.clock.nowMs()
      let first = true
      const { begun } = await writeDown(open, async () => {
        const again = first ? start + 600 : null
        first = false
        return again
      })
      await open.queue.add([now(open, 'a')])
      await open.pass(200)
      await open.queue.add([now(open, 'a')])
      await open.pass(600 + soon)
      expect(begun).toHaveLength(2)
      expect(begun[1]!.atMs).toBeGreaterThanOrEqual(start + 600)
      await open.close(0)
    })

    test('gives a job up where trying again cannot help, and remembers that', async () => {
      const open = await kind.open()
      const { keys } = await writeDown(open, async () => {
        throw new TypeError('x is undefined')
      })
      await open.queue.add([now(open, 'a')])
      await open.pass(soon)
      await open.queue.add([now(open, 'a'), now(open, 'b')])
      await open.pass(soon)
      expect(keys()).toEqual(['a', 'b'])
      expect(open.told).toEqual(['a: x is undefined', 'b: x is undefined'])
      await open.close(0)
    })

    test('works on so many at a time, and no message waits behind a diagnosis', async () => {
      const open = await kind.open({ quick: 2, slow: 1 })
      let atOnce = 0
      let most = 0
      const { keys } = await writeDown(open, async ({ kind: what }, signal) => {
        most = Math.max(most, ++atOnce)
        await open.clock.wait(what === 'diagnose' ? 1_000 : 150, signal)
        atOnce--
      })
      const diagnoses = ['d1', 'd2'].map((key) => now(open, key, { kind: 'diagnose' }))
      await open.queue.add([...diagnoses, ...['s1', 's2', 's3', 's4'].map((key) => now(open, key, { kind: 'send' }))])
      await open.pass(300 + soon)
      expect(keys().toSorted()).toEqual(['d1', 's1', 's2', 's3', 's4'])
      expect(most).toBe(3)
      await open.close(0)
    })

    test('lets a running job finish when it is closed, and begins no other', async () => {
      const open = await kind.open()
      let finished = false
      const { keys } = await writeDown(open, async (_, signal) => {
        await open.clock.wait(300, signal)
        finished = !signal.aborted
      })
      await open.queue.add([now(open, 'a')])
      await open.pass(100)
      await open.queue.add([now(open, 'b', { dueAtMs: open.clock.nowMs() + 100 })])
      await open.close(1_000)
      expect(finished).toBe(true)
      expect(keys()).toEqual(['a'])
    })

    test('hands back what does not finish in time, without counting it as a failure', async () => {
      const open = await kind.open()
      const { begun } = await writeDown(open, () => new Promise<null>(() => {}))
      await open.queue.add([now(open, 'a')])
      await open.pass(soon)
      const closing = open.clock.nowMs()
      await open.close(200)
      expect(open.clock.nowMs() - closing).toBeLessThan(200 + soon)
      expect(begun).toHaveLength(1)
      expect(open.told).toEqual([])
      const other = await open.another?.()
      if (other === undefined) return
      const { keys } = await writeDown(other)
      await other.pass(soon)
      expect(keys()).toEqual(['a'])
      await other.close(0)
    })

    test('tells work that it is to be handed back', async () => {
      const open = await kind.open()
      const ends: string[] = []
      await writeDown(open, async (_, signal) => {
        await open.clock.wait(60_000, signal)
        ends.push(`aborted ${signal.aborted}`)
        throw new Error('cut off')
      })
      await open.queue.add([now(open, 'a')])
      await open.pass(soon)
      await open.close(0)
      expect(ends).toEqual(['aborted true'])
      expect(open.told).toEqual([])
    })
  })
}
