import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/triggers/metrics.ts'
import { serveTriggers } from '../../src/triggers/serve.ts'
import type { Served, ServedOptions } from '../build/triggers-server.ts'
import { served as build } from '../build/triggers-server.ts'
import { recordedBody } from '../build/webhook.ts'

const running: Served[] = []
async function served(options: ServedOptions = {}): Promise<Served> {
  const one = await build(options)
  running.push(one)
  return one
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.triggers.close(100)))
})

const answerOf = async (response: Response) => [response.status, await response.json()] as const

describe('ready', () => {
  test('when all that it needs answers', async () => {
    const server = await served({ checks: { store: async () => null, slack: async () => null } })
    expect(await answerOf(await server.get('/readyz'))).toEqual([200, { ready: true }])
  })

  test('not, with the reason by name; what was thrown is not repeated', async () => {
    const checks = {
      store: async () => {
        throw new Error('redis://:hunter2@redis')
      },
      slack: async () => 'not connected',
      other: async () => null,
    }
    const server = await served({ checks })
    const not = { store: 'does not answer', slack: 'not connected' }
    expect(await answerOf(await server.get('/readyz'))).toEqual([503, { ready: false, not }])
    expect(await answerOf(await server.get('/healthz'))).toEqual([200, { alive: true }])
  })

  test('a check that hangs is one that does not answer', async () => {
    const server = await served({ checks: { store: () => new Promise(() => {}) } })
    expect(await answerOf(await server.get('/readyz'))).toEqual([503, { ready: false, not: { store: 'does not answer' } }])
  })
})

describe('metrics', () => {
  test('what came in, what became of it, and how long it took', async () => {
    const server = await served()
    await server.post('alertmanager', recordedBody('alertmanager-truncated'))
    await server.post('alertmanager', '{}', { authorization: 'Bearer another' })
    const text = await (await server.get('/metrics')).text()
    expect(text).toContain('headwater_webhook_requests_total{format="alertmanager",outcome="stored"} 1')
    expect(text).toContain('headwater_webhook_requests_total{format="alertmanager",outcome="unauthorised"} 1')
    expect(text).toContain('headwater_alerts_total{format="alertmanager",what="stored"} 2')
    expect(text).toContain('headwater_alerts_total{format="alertmanager",what="omitted"} 1')
    expect(text).toContain('headwater_webhook_ack_seconds_count{format="alertmanager"} 2')
  })

  test('figures of others are asked for at every scrape', async () => {
    let depth = 3
    const waiting = (kind: string, value: number) =>
      ({ name: 'headwater_jobs_waiting', help: 'Jobs that wait', kind: 'gauge', labels: { kind }, value }) as const
    const copies = { name: 'headwater_second_copies_total', help: 'Copies removed', kind: 'counter', labels: {}, value: 2 } as const
    const server = await served({ figures: [async () => [waiting('send', depth), waiting('attend', 0)], async () => [copies]] })
    expect(await (await server.get('/metrics')).text()).toContain(
      'headwater_jobs_waiting{kind="send"} 3\nheadwater_jobs_waiting{kind="attend"} 0\n',
    )
    depth = 4
    const text = await (await server.get('/metrics')).text()
    expect(text).toContain('headwater_jobs_waiting{kind="send"} 4')
    expect(text).toContain('# TYPE headwater_second_copies_total counter\nheadwater_second_copies_total 2\n')
  })

  test('a depth that cannot be asked is absent, not zero', async () => {
    const server = await served({ figures: [() => Promise.reject(new Error('away'))] })
    const response = await server.get('/metrics')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    expect(await response.text()).not.toContain('jobs_waiting')
  })

  test('of the process too, where it is wanted', async () => {
    expect(await createMetrics([], true).text()).toContain('process_resident_memory_bytes')
  })
})

test('at an address of their own, neither answers for the other', async () => {
  const server = await served({ operations: true })
  expect(server.triggers.operations?.port).not.toBe(server.triggers.webhooks?.port)
  expect((await server.get('/healthz')).status).toBe(200)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(404)
  expect((await server.get('/webhooks/json')).status).toBe(404)
  expect((await server.post('json', recordedBody('json-firing'))).status).toBe(202)
})

test('a worker has no door, but is asked how it is doing all the same', async () => {
  const serving = await serveTriggers({
    doors: null,
    operations: { host: '127.0.0.1', port: 0 },
    ports: { put: async () => 'stored', pipelinesOf: () => [], nowMs: Date.now },
    checks: {},
    metrics: createMetrics([], false),
    log: createLog({ write: () => {} }),
  })
  expect(serving.webhooks).toBeNull()
  const at = `http://127.0.0.1:${serving.operations?.port}`
  expect((await fetch(`${at}/readyz`)).status).toBe(200)
  expect((await fetch(`${at}/webhooks/json`, { method: 'POST', body: '{}' })).status).toBe(404)
  await serving.close(0)
})

test('only GET and HEAD', async () => {
  const server = await served()
  const response = await fetch(`${server.url}/metrics`, { method: 'POST', body: 'x' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${server.url}/healthz`, { method: 'HEAD' })).status).toBe(200)
})

test('a port that somebody else has is said, and nothing is left open', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const serving = serveTriggers({
    doors: { listen: { host: '127.0.0.1', port: 0 }, credentials: {} },
    operations: { host: '127.0.0.1', port },
    ports: { put: async () => 'stored', pipelinesOf: () => [], nowMs: Date.now },
    checks: {},
    metrics: createMetrics([], false),
    log: createLog({ write: () => {} }),
  })
  await expect(serving).rejects.toMatchObject({
    code: 'address_taken',
    message: `cannot serve health and metrics at 127.0.0.1:${port}: another program, perhaps another Headwater, listens there already; change "operations:" below "webhooks:", or start this process with --operations HOST:PORT`,
  })
  await new Promise((resolve) => other.close(resolve))
})
