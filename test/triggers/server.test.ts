/** The doors for alerts as a sender sees them: a real server over loopback, real requests. */
import { afterEach, describe, expect, test } from 'vitest'
import { noPipeline } from '../../src/incident/unmapped.ts'
import { noon } from '../build/stored-values.ts'
import type { Served, ServedOptions } from '../build/triggers-server.ts'
import { served as build, proof } from '../build/triggers-server.ts'
import { bodyOf, recordedBody } from '../build/webhook.ts'

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
const keysOf = ({ store }: Served) => [...store.inputs.keys()]
const orders = { name: 'late', labels: { topic: 'orders' }, fingerprint: 'a29a32f1d2fce6e1' }
const start = Date.UTC(2026, 10, 30, 10, 5, 12, 345)
/** Of ten minutes each, since 1970: the one in which the server is asked. */
const turn = noon / 600_000

describe('what is stored', () => {
  test('a group of alerts is one input for each pipeline that it means', async () => {
    const server = await served()
    const answer = await answerOf(await server.post('alertmanager', recordedBody('alertmanager-firing')))
    expect(answer).toEqual([202, { stored: 4, known: 0, unmapped: 0, ignored: 0, omitted: 0 }])
    expect(keysOf(server)).toEqual([
      `alert/orders/alertmanager/a29a32f1d2fce6e1/firing/${start}/${turn}`,
      `alert/platform/alertmanager/a29a32f1d2fce6e1/firing/${start}/${turn}`,
      `alert/payments/alertmanager/70a844aa02f69e67/firing/${start + 30_000}/${turn}`,
      `alert/platform/alertmanager/70a844aa02f69e67/firing/${start + 30_000}/${turn}`,
    ])
    expect(server.store.inputs.get(keysOf(server)[0]!)?.input).toMatchObject({
      kind: 'alert',
      pipeline: 'orders',
      format: 'alertmanager',
      status: 'firing',
      name: 'ConsumerLagHigh',
      startsAtMs: start,
    })
  })

  test('a second Alertmanager, a repetition and another group of the same alert add nothing', async () => {
    const server = await served()
    await server.post('alertmanager', recordedBody('alertmanager-firing'))
    const again = await answerOf(await server.post('alertmanager', recordedBody('alertmanager-firing')))
    expect(again).toEqual([202, { stored: 0, known: 4, unmapped: 0, ignored: 0, omitted: 0 }])
    const resolved = await answerOf(await server.post('alertmanager', recordedBody('alertmanager-one-resolved')))
    expect(resolved).toEqual([202, { stored: 2, known: 2, unmapped: 0, ignored: 0, omitted: 0 }])
    expect(keysOf(server).slice(4)).toEqual([
      `alert/orders/alertmanager/a29a32f1d2fce6e1/resolved/${start}`,
      `alert/platform/alertmanager/a29a32f1d2fce6e1/resolved/${start}`,
    ])
  })

  test('what goes on firing is another event every ten minutes, what is resolved is one for ever', async () => {
    const clock = { nowMs: noon }
    const server = await served({ nowMs: () => clock.nowMs })
    const send = async (status: string) => {
      const [, body] = await answerOf(await server.post('json', JSON.stringify(bodyOf.json!([{ ...orders, status }]))))
      return (body as { stored: number }).stored
    }
    const stored: number[] = []
    for (const at of [0, 599_999, 600_000, 1_199_999, 1_200_000]) {
      clock.nowMs = noon + at
      stored.push(await send('firing'))
    }
    expect(stored).toEqual([1, 0, 1, 0, 1])
    expect([await send('resolved'), await send('resolved')]).toEqual([1, 0])
    clock.nowMs += 600_000
    expect(await send('resolved')).toBe(0)
  })

  test('fired again later is another event', async () => {
    const server = await served()
    await server.post('json', JSON.stringify(bodyOf.json!([orders])))
    await server.post('json', JSON.stringify(bodyOf.json!([{ ...orders, startsAt: '2026-11-30T12:00:00Z' }])))
    expect(keysOf(server)).toHaveLength(2)
  })

  test('Grafana and our own body come in by their signatures', async () => {
    const server = await served()
    expect((await server.post('grafana', recordedBody('grafana-firing'))).status).toBe(202)
    expect((await server.post('json', recordedBody('json-firing'))).status).toBe(202)
    expect([...server.store.inputs.values()].map(({ input }) => [input.pipeline, 'format' in input ? input.format : ''])).toEqual([
      ['orders', 'grafana'],
      ['platform', 'grafana'],
      ['orders', 'json'],
    ])
  })

  test('an alert of nobody is kept once a day, so that somebody is told how to map it', async () => {
    const clock = { nowMs: Date.UTC(2026, 10, 30, 23, 59) }
    const server = await served({ nowMs: () => clock.nowMs })
    const clicks = { ...orders, labels: { topic: 'clicks' } }
    const send = async (status: string) => {
      const response = await server.post('json', JSON.stringify(bodyOf.json!([{ ...clicks, status }])))
      return await response.json()
    }
    expect(await send('firing')).toMatchObject({ stored: 1, unmapped: 1 })
    expect(await send('firing')).toMatchObject({ stored: 0, known: 1, unmapped: 1 })
    expect(await send('resolved')).toMatchObject({ stored: 0, known: 0, ignored: 1 })
    clock.nowMs += 120_000
    expect(await send('firing')).toMatchObject({ stored: 1 })
    expect(keysOf(server)).toEqual(['unmapped/json/a29a32f1d2fce6e1/2026-11-30', 'unmapped/json/a29a32f1d2fce6e1/2026-12-01'])
    expect(server.store.inputs.get(keysOf(server)[0]!)?.input).toMatchObject({
      kind: 'unmapped',
      pipeline: noPipeline,
      labels: { topic: 'clicks' },
    })
  })

  test('what the sender left out is said to it and in the log', async () => {
    const server = await served()
    const [, body] = await answerOf(await server.post('alertmanager', recordedBody('alertmanager-truncated')))
    expect(body).toMatchObject({ omitted: 1 })
    expect(server.log.join('')).toContain('"omitted":1')
  })

  test.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'application/vnd.alerts+json', 'APPLICATION/JSON'])(
    'sent as %s',
    async (type) => {
      const server = await served()
      expect((await server.post('json', recordedBody('json-firing'), { 'content-type': type })).status).toBe(202)
    },
  )

  test('by user and password', async () => {
    const server = await served({ basic: true })
    const authorization = (password: string) => ({ authorization: `Basic ${Buffer.from(`alertmanager:${password}`).toString('base64')}` })
    expect((await server.post('alertmanager', recordedBody('alertmanager-firing'), authorization('a-token-of-the-example'))).status).toBe(
      202,
    )
    const refused = await server.post('alertmanager', recordedBody('alertmanager-firing'), authorization('another'))
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="headwater"'])
  })
})

describe('nothing is acknowledged before it is stored', () => {
  test('the answer waits for the store', async () => {
    const server = await served()
    const gate = Promise.withResolvers<void>()
    server.store.before = () => gate.promise
    let answered = false
    const answer = server.post('json', recordedBody('json-firing')).then((response) => {
      answered = true
      return response.status
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(answered).toBe(false)
    gate.resolve()
    expect(await answer).toBe(202)
    expect(keysOf(server)).toHaveLength(1)
  })

  test.each(['refuses', 'hangs'] as const)('a store that %s: come again', async (mode) => {
    const server = await served({ limits: { storeMs: 100 } })
    server.store.mode = mode
    const response = await server.post('json', recordedBody('json-firing'))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({ error: 'the alerts could not be stored; send them again' })
    expect(server.log.join('')).toContain('store_away')
    server.store.mode = 'usual'
    expect((await server.post('json', recordedBody('json-firing'))).status).toBe(202)
  })

  test('a store that fails halfway: the sender comes again, and no alert is there twice', async () => {
    const server = await served()
    let left = 2
    server.store.before = async () => {
      if (left-- <= 0) throw new Error('gone')
    }
    expect((await server.post('alertmanager', recordedBody('alertmanager-firing'))).status).toBe(503)
    server.store.before = async () => {}
    expect((await server.post('alertmanager', recordedBody('alertmanager-firing'))).status).toBe(202)
    expect(keysOf(server)).toHaveLength(4)
  })
})

describe('whoever does not prove itself hears 401 and nothing else', () => {
  const body = recordedBody('grafana-firing')
  const sign = (secondsOff: number, text = body) => proof('grafana', text, noon + secondsOff * 1_000)
  test.each<[string, 'alertmanager' | 'grafana', () => Record<string, string>, string]>([
    ['another token', 'alertmanager', () => ({ authorization: 'Bearer another' }), 'wrong credentials'],
    ['a password instead of a token', 'alertmanager', () => ({ authorization: 'Basic YTpi' }), 'wrong credentials'],
    ['an empty header', 'alertmanager', () => ({ authorization: '' }), 'wrong credentials'],
    ['another body', 'grafana', () => sign(0, '{}'), 'wrong signature'],
    ['no hex', 'grafana', () => ({ 'x-grafana-alerting-signature': 'v1=abc' }), 'wrong signature'],
    ['a signature of 301 s ago', 'grafana', () => sign(-302), 'timestamp outside of the window'],
    ['a signature of the future', 'grafana', () => sign(302), 'timestamp outside of the window'],
    ['no time', 'grafana', () => ({ 'x-grafana-alerting-timestamp': '' }), 'no timestamp header'],
    ['no signature', 'grafana', () => ({ 'x-grafana-alerting-signature': '' }), 'no signature header'],
  ])('%s', async (_, format, headers, why) => {
    const server = await served()
    const sent = format === 'grafana' ? body : recordedBody('alertmanager-firing')
    expect(await answerOf(await server.post(format, sent, headers()))).toEqual([401, { error: 'unauthorised' }])
    expect(keysOf(server)).toEqual([])
    expect(server.log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ message: 'webhook refused', format, outcome: 'unauthorised', why }),
    ])
  })

  test('signed within 5 minutes, either way, is in time', async () => {
    const server = await served()
    for (const off of [-298, 298]) expect((await server.post('grafana', body, sign(off))).status).toBe(202)
  })

  test('a body that was changed on its way is refused, even if it parses to the same', async () => {
    const server = await served()
    expect((await server.post('grafana', `${body} `, sign(0))).status).toBe(401)
  })

  test('a thousand wrong tokens are few lines in the log, and say how many there were', async () => {
    const server = await served()
    for (let i = 0; i < 50; i++) await server.post('alertmanager', '{}', { authorization: `Bearer ${i}` })
    expect(server.log.length).toBeLessThan(10)
  })
})

describe('what is refused is told what would be right', () => {
  const many = JSON.stringify({ alerts: Array.from({ length: 50_001 }, () => 1) })
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  test.each<[string, string | Uint8Array<ArrayBuffer>, number, string]>([
    ['an empty body', '', 400, 'the body is no JSON'],
    ['half a body', '{"alerts": [', 400, 'the body is no JSON'],
    ['text', 'orders are late', 400, 'the body is no JSON'],
    ['a slip', '{"alerts": [] "labels": {}}', 400, 'the body is no JSON, see its character 15'],
    ['bytes that are no text', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 400, 'the body is not UTF-8'],
    ['a very deep body', deep, 400, 'the body is nested deeper than 32 levels'],
    ['a very wide body', many, 400, 'the body is too large: more than 50,000 values'],
    ['another body', '{"title": "late"}', 400, 'alerts: write a list of alerts'],
    [
      'a time of its own',
      JSON.stringify(bodyOf.json!([{ startsAt: 'now' }])),
      400,
      'alerts[0].startsAt: write a time in RFC 3339, e.g. "2026-11-30T14:05:00Z"',
    ],
    ['5 MB', ' '.repeat(5_000_000), 413, 'the body is larger than 1,048,576 bytes; send fewer alerts at once (max_alerts)'],
  ])('%s', async (_, body, status, error) => {
    const server = await served()
    expect(await answerOf(await server.post('json', body))).toEqual([status, { error }])
    expect(keysOf(server)).toEqual([])
    expect((await server.post('json', recordedBody('json-firing'))).status).toBe(202)
  })

  test.each<[string, Record<string, string>, string]>([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'send Content-Type: application/json'],
    ['another alphabet', { 'content-type': 'application/json; charset=latin1' }, 'send the body in UTF-8'],
    ['a packed body', { 'content-encoding': 'gzip' }, 'send the body as it is, without Content-Encoding'],
  ])('%s', async (_, headers, error) => {
    const server = await served()
    expect(await answerOf(await server.post('json', recordedBody('json-firing'), headers))).toEqual([415, { error }])
  })

  test('5 MB that do not say how many they are', async () => {
    const server = await served()
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 5; i++) controller.enqueue(Buffer.alloc(1_000_000, ' '))
        controller.close()
      },
    })
    const headers = { 'content-type': 'application/json', ...proof('json', '', noon) }
    const response = await fetch(`${server.url}/webhooks/json`, { method: 'POST', body, duplex: 'half', headers } as RequestInit)
    expect(response.status).toBe(413)
  })

  test('a method and a path that there are not', async () => {
    const server = await served()
    const got = await fetch(`${server.url}/webhooks/json`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    for (const path of ['/webhooks/pagerduty', '/webhooks/', '/', '/webhooks/constructor', '/metrics/x']) {
      expect((await fetch(`${server.url}${path}`, { method: 'POST', body: '{}' })).status).toBe(404)
    }
  })
})

test('no secret is in the log, whatever went wrong', async () => {
  const server = await served()
  await server.post('alertmanager', recordedBody('alertmanager-firing'))
  await server.post('alertmanager', recordedBody('alertmanager-firing'), { authorization: 'Bearer hunter2' })
  await server.post('json', '{"alerts": "hunter2"}')
  server.store.mode = 'refuses'
  await server.post('grafana', recordedBody('grafana-firing'))
  expect(server.log.join('')).toContain('ECONNREFUSED')
  expect(server.log.join('')).not.toMatch(/hunter2|of-the-tests|of-the-example/)
})

test('10,000 alerts about 40 pipelines from a doubled sender: each is there once, and all are acknowledged', async () => {
  const { audience } = await import('../build/triggers-server.ts')
  const names = Array.from({ length: 40 }, (_, i) => `pipeline-${i}`)
  const server = await served({ audiences: names.map((name) => audience(name, [{ name: 'topic', op: '=', value: name }])) })
  const deliveries = Array.from({ length: 500 }, (_, i) =>
    JSON.stringify(
      bodyOf.alertmanager!(
        Array.from({ length: 10 }, (_, j) => ({
          labels: { topic: names[(i * 10 + j) % 40]! },
          fingerprint: (i * 10 + j).toString(16).padStart(16, '0'),
        })),
      ),
    ),
  )
  const queue = deliveries.flatMap((body) => [body, body])
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
        const response = await server.post('alertmanager', body)
        await response.arrayBuffer()
        statuses.push(response.status)
      }
    }),
  )
  expect([statuses.length, new Set(statuses)]).toEqual([1_000, new Set([202])])
  expect(server.store.inputs.size).toBe(5_000)
  expect(new Set([...server.store.inputs.values()].map((one) => one.deliveries))).toEqual(new Set([2]))
  const metrics = await (await server.get('/metrics')).text()
  expect(metrics).toContain('headwater_alerts_total{format="alertmanager",what="stored"} 5000')
  expect(metrics).toContain('headwater_alerts_total{format="alertmanager",what="known"} 5000')
}, 60_000)
