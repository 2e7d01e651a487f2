/** The bounded reader against a real server that behaves badly in every way a driver or a proxy can. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { FailureKind, ReadOptions } from '../../src/sources/http.ts'
import { countTraffic, read } from '../../src/sources/http.ts'
import { limitInFlight } from '../../src/sources/http-limiter.ts'
import type { StubDriver } from '../fixtures/spark/stub-driver.ts'
import { sendJson, sendText, startStub } from '../fixtures/spark/stub-driver.ts'

let stub: StubDriver | null = null
afterEach(async () => {
  await stub?.close()
  stub = null
})

const options = (part: Partial<ReadOptions> = {}): ReadOptions => ({
  signal: new AbortController().signal,
  maxBytes: 100_000,
  timeoutMs: 400,
  limiter: limitInFlight(2),
  ...part,
})

async function serve(handler: (request: IncomingMessage, response: ServerResponse, url: URL) => void): Promise<string> {
  stub = await startStub(handler)
  return stub.url
}

test('reads JSON, plain or compressed, and tells when and how much', async () => {
  const url = await serve((request, response) => sendJson(request, response, { rows: 'x'.repeat(5_000) }))
  const traffic = countTraffic()
  const got = await read(`${url}/jobs`, options({ traffic }))
  expect(got).toMatchObject({ ok: true, answer: { json: { rows: 'x'.repeat(5_000) } } })
  if (!got.ok) return
  expect(got.answer.bytes).toBeLessThan(500)
  expect(got.answer.answeredMs).toBeGreaterThanOrEqual(got.answer.sentMs)
  expect(Math.abs((got.answer.dateMs ?? 0) - Date.now())).toBeLessThan(3_000)
  expect(traffic.listed('driver')).toEqual([{ to: `driver ${new URL(url).host}`, requests: 1, bytes: got.answer.bytes }])
})

describe('a failure is a kind and one sentence', () => {
  const bomb = gzipSync(Buffer.alloc(3_000_000, 32))
  test.each<[string, (request: IncomingMessage, response: ServerResponse) => void, FailureKind, RegExp]>([
    ['a page in place of JSON (T10)', (_, response) => sendText(response, '<html>login</html>'), 'not-json', /HTML page, not JSON/],
    ['text that is not JSON', (_, response) => sendText(response, 'starting', 200, 'application/json'), 'not-json', /not JSON/],
    ['a half body', (_, response) => sendText(response, '[{"jobId":1', 200, 'application/json'), 'not-json', /not JSON/],
    ['a login', (_, response) => sendText(response, '', 401), 'unauthorized', /wants a login for jobs \(401\)/],
    ['no access', (_, response) => sendText(response, '', 403), 'forbidden', /does not let us read jobs \(403\)/],
    ['unknown', (_, response) => sendText(response, '', 404), 'not-found', /has no jobs \(404\)/],
    ['an error there', (_, response) => sendText(response, 'stack', 500), 'server-error', /internal error \(500\)/],
    ['too many requests', (_, response) => sendText(response, '', 429), 'odd-status', /status 429/],
    [
      'a body that is announced too large',
      (_, response) => sendText(response, ' '.repeat(200_000), 200, 'application/json', { 'content-length': '200000' }),
      'too-large',
      /larger than 98 KiB/,
    ],
    ['a body that grows too large', (_, response) => drip(response, ' '.repeat(9_000), 40), 'too-large', /was not read to the end/],
    [
      'a small gzip that is a huge body',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
      },
      'too-large',
      /larger than/,
    ],
    [
      'a broken gzip',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('no gzip at all')
      },
      'broken',
      /could not be read/,
    ],
    ['silence', () => undefined, 'timed-out', /did not answer jobs within 0.4 s/],
    ['a drip that never ends', (_, response) => drip(response, ' ', 1_000), 'timed-out', /within 0.4 s/],
    [
      'a connection that breaks',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '50' })
        response.write('[1')
        setTimeout(() => response.destroy(), 20)
      },
      'broken',
      /broke off/,
    ],
    [
      'another host',
      (_, response) => sendText(response, '', 302, 'text/plain', { location: 'http://gateway.example/login?user=x' }),
      'redirected',
      /sends readers on to http:\/\/gateway\.example;/,
    ],
    ['a circle', (_, response) => sendText(response, '', 302, 'text/plain', { location: '/jobs' }), 'redirected', /keeps redirecting/],
  ])('%s', async (_, handler, kind, says) => {
    const url = await serve(handler)
    const got = await read(`${url}/jobs`, options())
    expect(got).toMatchObject({ ok: false, failure: { kind } })
    if (!got.ok) expect(got.failure.sentence).toMatch(says)
  })

  test('nothing listens', async () => {
    const url = await serve(() => undefined)
    await stub?.close()
    const got = await read(`${url}/jobs`, options())
    expect(got).toMatchObject({ ok: false, failure: { kind: 'refused' } })
  })

  test.each(['not an address', 'file:///etc/passwd', 'ftp://driver/'])('%s is no http address', async (url) => {
    expect(await read(url, options())).toMatchObject({ ok: false, failure: { kind: 'broken' } })
  })

  test('the caller gives up', async () => {
    const url = await serve(() => undefined)
    const got = await read(`${url}/jobs`, options({ signal: AbortSignal.timeout(50), timeoutMs: 5_000 }))
    expect(got).toMatchObject({ ok: false, failure: { kind: 'stopped', sentence: expect.stringContaining('time was up') } })
  })

  test('the caller gave up before', async () => {
    const url = await serve(() => undefined)
    expect(await read(`${url}/jobs`, options({ signal: AbortSignal.abort() }))).toMatchObject({ ok: false, failure: { kind: 'stopped' } })
    expect(stub?.asked).toEqual([])
  })
})

test('one redirect on the same origin is followed', async () => {
  const url = await serve((request, response, { pathname }) =>
    pathname === '/metrics/json'
      ? sendText(response, '', 302, 'text/plain', { location: '/metrics/json/' })
      : sendJson(request, response, { gauges: {} }),
  )
  const traffic = countTraffic()
  expect(await read(`${url}/metrics/json`, options({ traffic }))).toMatchObject({ ok: true })
  expect(traffic.listed('driver')[0]?.requests).toBe(2)
})

test('only GET, and compressed answers are welcome', async () => {
  const seen: string[] = []
  const url = await serve((request, response) => {
    seen.push(`${request.method} ${request.headers['accept-encoding']}`)
    sendJson(request, response, [])
  })
  await read(`${url}/jobs`, options())
  expect(seen).toEqual(['GET gzip'])
})

test('two at a time, whoever asks', async () => {
  const url = await serve((request, response) => void setTimeout(() => sendJson(request, response, []), 20))
  const limiter = limitInFlight(2)
  const all = await Promise.all(Array.from({ length: 8 }, (_, i) => read(`${url}/jobs/${i}`, options({ limiter }))))
  expect(all.every((one) => one.ok)).toBe(true)
  expect(stub?.mostAtOnce()).toBe(2)
})

describe('the limiter', () => {
  const signal = new AbortController().signal

  test('one at a time after a slow answer, two again after five quick ones', async () => {
    const limiter = limitInFlight(2)
    const use = async (tookMs: number): Promise<void> => (await limiter.enter('a', signal))?.leave(tookMs)
    await use(1_200)
    expect(limiter.width('a')).toBe(1)
    expect(limiter.width('b')).toBe(2)
    for (let i = 0; i < 4; i++) await use(50)
    await use(500)
    for (let i = 0; i < 4; i++) await use(50)
    expect(limiter.width('a')).toBe(1)
    await use(50)
    expect(limiter.width('a')).toBe(2)
  })

  test('who gives up while waiting leaves the line and takes no slot', async () => {
    const limiter = limitInFlight(1)
    const first = await limiter.enter('a', signal)
    const gaveUp = new AbortController()
    const second = limiter.enter('a', gaveUp.signal)
    const third = limiter.enter('a', signal)
    gaveUp.abort()
    expect(await second).toBeNull()
    first?.leave(1)
    first?.leave(1)
    expect(await third).not.toBeNull()
  })
})

function drip(response: ServerResponse, chunk: string, times: number): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  let left = times
  const timer = setInterval(() => {
    if (left-- > 0 && !response.destroyed) response.write(chunk)
    else clearInterval(timer)
  }, 10)
}
