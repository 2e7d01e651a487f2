/** A queue of real time under a demo that runs faster: what is due by the demo's clock is done then, and not at the machine's. */
import { describe, expect, test } from 'vitest'
import { demoClock } from '../../src/demo/demo-clock.ts'
import { pacedQueue } from '../../src/demo/paced-queue.ts'
import { HeadwaterError } from '../../src/errors.ts'
import type { Handle, Job, Queue } from '../../src/workflow/incident-ports.ts'
import { job } from '../build/stored-values.ts'

/** Takes what it is given; its worker is called by hand. */
function realQueue(): Queue & { readonly added: Job[]; away: boolean; handle: Handle | null } {
  const queue = {
    added: [] as Job[],
    away: false,
    handle: null as Handle | null,
    add: async (jobs: readonly Job[]) => {
      if (queue.away) throw new HeadwaterError('queue_unavailable', 'Redis is away')
      queue.added.push(...jobs)
    },
    work: async (handle: Handle) => {
      queue.handle = handle
    },
    close: async () => {},
  }
  return queue
}

const at = (key: string, dueAtMs: number): Job => job(key, { kind: 'look', dueAtMs })
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a queue under the clock of the demo', () => {
  test('what is due in two minutes is handed on after two minutes of the demo, once', async () => {
    const [real, clock] = [realQueue(), demoClock()]
    const queue = pacedQueue(real, clock)
    const now = clock.nowMs()
    await queue.add([at('now', now), at('later', now + 120_000)])
    await queue.add([at('later', now + 120_000)])
    expect(real.added.map(({ key }) => key)).toEqual(['now'])
    clock.leapTo(now + 119_000)
    await pause(20)
    expect(real.added).toHaveLength(1)
    clock.setPace(100)
    await pause(40)
    expect(real.added.map(({ key }) => key)).toEqual(['now', 'later'])
  })

  test('a job that asks to be run again in a minute of the demo is run again at its pace', async () => {
    const [real, clock] = [realQueue(), demoClock()]
    clock.setPace(600)
    await pacedQueue(real, clock, () => 1_000_000).work(async () => clock.nowMs() + 60_000)
    const again = await real.handle!(at('a', 0), new AbortController().signal)
    expect(again! - 1_000_000).toBeGreaterThan(80)
    expect(again! - 1_000_000).toBeLessThanOrEqual(100)
    await pacedQueue(real, clock).work(async () => null)
    expect(await real.handle!(at('a', 0), new AbortController().signal)).toBeNull()
  })

  test('where the real one is away, what is due is told so, and what waited is tried again', async () => {
    const [real, clock] = [realQueue(), demoClock()]
    const queue = pacedQueue(real, clock)
    real.away = true
    await expect(queue.add([at('now', 0)])).rejects.toThrow('Redis is away')
    await queue.add([]).catch(() => undefined)
    real.away = false
    await queue.add([at('later', clock.nowMs() + 5_000)])
    real.away = true
    clock.leapTo(clock.nowMs() + 6_000)
    await pause(20)
    real.away = false
    clock.leapTo(clock.nowMs() + 2_000)
    await pause(20)
    expect(real.added.map(({ key }) => key)).toEqual(['later'])
    await queue.close(0)
  })
})
