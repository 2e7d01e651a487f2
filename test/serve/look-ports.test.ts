/** A look of the service: whatever breaks in it costs no more than it has to, and is said with the log of the job. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/app.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { createLog } from '../../src/log.ts'
import { homeChart } from '../../src/report/messages/incident/home.ts'
import { lookPorts } from '../../src/serve/look-ports.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import type { Question, Source } from '../../src/workflow/ports.ts'
import { drillSource } from '../fakes/drill-source.ts'

const pipeline: Pipeline = {
  name: 'orders',
  topic: 'orders-s3',
  kafka: { brokers: ['kafka:9092'], clientId: 'headwater', tls: false, sasl: null },
  spark: null,
  query: null,
  checkpoint: null,
  eventLog: null,
  table: null,
  group: null,
  declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: null, lagSeconds: null },
}
const { signal } = new AbortController()

/** A kept drill that is looked at once: the second look would only take its time. */
function once(drill: string): Source {
  const { name, applies, absent, collect } = drillSource(drill)
  return { name, applies, absent, collect }
}
const hour = 3_600_000

function portsOver(sources: readonly Source[], draw: () => Promise<Uint8Array> = async () => new Uint8Array()) {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) }).about({ incident: 'i-1' })
  const told = (): string[] =>
    lines.map((line) => JSON.parse(line) as { message: string; incident: string }).map((one) => `${one.incident} ${one.message}`)
  return { told, ports: lookPorts({ pipelines: [pipeline], sources, clock: systemClock, drawer: { draw, drawCheck: draw } })(log) }
}

test('evidence and verdict of a real drill', async () => {
  const { ports, told } = portsOver([once('hot_partition-live-3')])
  const examined = await ports.examine({ pipeline: 'orders', sinceMs: null, signal })
  expect(examined.attribution.cause).toBe('hot_partition')
  expect(readBundle(examined.bundle).pipeline.name).toBe('orders')
  expect(told()).toEqual(['i-1 a pipeline was looked at'])
})

test('nothing could be read: that is the verdict, with every reason, and no reason to try again', async () => {
  const broken: Source = { ...drillSource('none-live-3'), collect: () => Promise.reject(new Error('no route to host')) }
  const { ports, told } = portsOver([broken])
  const { attribution } = await ports.examine({ pipeline: 'orders', sinceMs: null, signal })
  expect(attribution.outcome).toBe('inconclusive')
  expect(attribution.gaps.map(({ reason }) => reason)).toContain('could not be looked at: no route to host')
  expect(told()).toContain('i-1 nothing could be read of a pipeline')
})

test('a pipeline that is configured no longer, and a picture that cannot be drawn', async () => {
  const { ports, told } = portsOver([], () => Promise.reject(new Error('no fonts')))
  await expect(ports.examine({ pipeline: 'gone', sinceMs: null, signal })).rejects.toMatchObject({
    code: 'config_mistaken',
    retryable: false,
  })
  const examined = await ports.examine({ pipeline: 'orders', sinceMs: null, signal })
  expect(await ports.draw(examined, homeChart)).toBeNull()
  expect(told()).toEqual(expect.arrayContaining(['i-1 a pipeline could not be looked at', 'i-1 a verdict goes out without its picture']))
})

test('an error of this program is given up, not tried for a week; being asked to stop is no error', async () => {
  const odd: Source = {
    ...drillSource('none-live-3'),
    applies: () => {
      throw new TypeError('not a function')
    },
  }
  const { ports, told } = portsOver([odd])
  await expect(ports.examine({ pipeline: 'orders', sinceMs: null, signal })).rejects.toMatchObject({ code: 'internal', retryable: false })
  expect(told()).toEqual(['i-1 a pipeline could not be looked at'])
  const slow = portsOver([drillSource('none-live-3', { first: 5_000, second: 0 })])
  const stop = new AbortController()
  const looking = slow.ports.examine({ pipeline: 'orders', sinceMs: null, signal: stop.signal })
  await sleep(20)
  stop.abort()
  await expect(looking).rejects.toMatchObject({ code: 'interrupted', retryable: true })
  expect(slow.told()).toEqual([])
})

test('since when: as far back as somebody wants, and never less than the hour that shows what was calm', async () => {
  const asked: Question[] = []
  const spy: Source = {
    ...once('none-live-3'),
    collect: (question) => {
      asked.push(question)
      return once('none-live-3').collect(question)
    },
  }
  const { ports } = portsOver([spy])
  const now = Date.now()
  for (const sinceMs of [now - 3 * hour, now - 60_000, null]) await ports.examine({ pipeline: 'orders', sinceMs, signal })
  expect(asked.map(({ fromMs, toMs }) => Math.round((toMs - fromMs) / hour))).toEqual([3, 1, 1])
})

test('a thorough look is one that waits for a heartbeat, and has the time for it', async () => {
  const asked: boolean[] = []
  const spy: Source = {
    ...once('none-live-3'),
    collect: (question) => {
      asked.push(question.thorough)
      return once('none-live-3').collect(question)
    },
  }
  const waited: number[] = []
  const clock: Clock = {
    nowMs: systemClock.nowMs,
    wait: (ms, until) => {
      waited.push(ms)
      return systemClock.wait(ms, until)
    },
  }
  const drawn = async () => new Uint8Array()
  const log = createLog({ write: () => {} })
  const ports = lookPorts({ pipelines: [pipeline], sources: [spy], clock, drawer: { draw: drawn, drawCheck: drawn } })(log)
  await ports.examine({ pipeline: 'orders', sinceMs: null, signal })
  await ports.examine({ pipeline: 'orders', sinceMs: null, thorough: true, signal })
  expect(asked).toEqual([false, true])
  expect(waited.map((ms) => ms > 10_000)).toEqual([false, true])
})
