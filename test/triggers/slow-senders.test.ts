/** Senders that are slow, broken or too many, on raw sockets. */
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Served, ServedOptions } from '../build/triggers-server.ts'
import { served as build, secrets } from '../build/triggers-server.ts'
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

interface Raw {
  readonly write: (text: string) => void
  /** Everything that came back, once the server has hung up. */
  readonly end: Promise<string>
  readonly hangUp: () => void
}

function raw({ triggers }: Served): Promise<Raw> {
  return new Promise((resolve) => {
    const socket = connect(triggers.webhooks!.port, '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk.toString()
    })
    socket.on('error', () => {})
    const end = new Promise<string>((done) => socket.on('close', () => done(got)))
    socket.on('connect', () => resolve({ write: (text) => socket.write(text), end, hangUp: () => socket.destroy() }))
  })
}

const head = (length: number) =>
  `POST /webhooks/alertmanager HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${secrets.alertmanager}\r\nContent-Length: ${length}\r\n\r\n`
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const works = async (server: Served) => (await server.post('alertmanager', recordedBody('alertmanager-firing'))).status

test('headers that never end are hung up on', async () => {
  const server = await served({ limits: { headersMs: 200, requestMs: 400 } })
  const slow = await raw(server)
  slow.write('POST /webhooks/alertmanager HTTP/1.1\r\n')
  const drip = setInterval(() => slow.write('X-A: b\r\n'), 20)
  expect(await slow.end).toMatch(/^HTTP\/1.1 408 /)
  clearInterval(drip)
  expect(await works(server)).toBe(202)
})

test('a body that never ends is hung up on', async () => {
  const server = await served({ limits: { headersMs: 200, requestMs: 400 } })
  const slow = await raw(server)
  slow.write(head(10_000))
  const drip = setInterval(() => slow.write(' '), 20)
  expect(await slow.end).toMatch(/^HTTP\/1.1 408 /)
  clearInterval(drip)
  expect(await works(server)).toBe(202)
})

test('slow senders on every place do not shut out the others', async () => {
  const server = await served({ limits: { atOnce: 3, patienceMs: 100 } })
  const slow = await Promise.all([raw(server), raw(server), raw(server)])
  for (const one of slow) one.write(head(10_000))
  await pause(50)
  const early = await server.post('alertmanager', recordedBody('alertmanager-firing'))
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1'])
  await pause(100)
  expect([await works(server), await works(server)]).toEqual([202, 202])
  for (const one of slow) one.hangUp()
})

test('a slow store is not the fault of a sender: nobody whose alerts have arrived is cut off', async () => {
  const server = await served({ limits: { atOnce: 1, patienceMs: 20 } })
  const gate = Promise.withResolvers<void>()
  server.store.before = () => gate.promise
  const first = server.post('alertmanager', recordedBody('alertmanager-firing'))
  await pause(100)
  expect(await works(server)).toBe(503)
  gate.resolve()
  expect((await first).status).toBe(202)
})

test('a body that says it is too large is refused before it comes', async () => {
  const server = await served()
  const large = await raw(server)
  large.write(head(5_000_000))
  await pause(50)
  large.hangUp()
  expect(await large.end).toMatch(/^HTTP\/1.1 413 /)
})

test('whoever shows no token does not get a place at all', async () => {
  const server = await served({ limits: { atOnce: 1, patienceMs: 60_000 } })
  const stranger = await raw(server)
  stranger.write(head(10_000).replace(secrets.alertmanager, 'another'))
  await pause(50)
  expect(await works(server)).toBe(202)
  stranger.hangUp()
})

test('a sender that hangs up in the middle leaves nothing behind', async () => {
  const server = await served({ limits: { atOnce: 1 } })
  const broken = await raw(server)
  broken.write(`${head(10_000)}{"version"`)
  await pause(50)
  broken.hangUp()
  await pause(50)
  expect(await works(server)).toBe(202)
  expect(server.log.join('')).toContain('the connection ended before the body did')
  expect(await (await server.get('/metrics')).text()).toContain('{format="alertmanager",outcome="cut"} 1')
})

test.each<[string, string, number]>([
  ['what is no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n', 400],
  ['very long headers', `POST / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['two lengths', `POST /webhooks/json HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ['a length and pieces', `POST /webhooks/json HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
  ['no host', 'POST /webhooks/json HTTP/1.1\r\n\r\n', 400],
])('%s', async (_, text, status) => {
  const server = await served()
  const odd = await raw(server)
  odd.write(text)
  expect((await odd.end).slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  expect(await works(server)).toBe(202)
})

test('being stopped, it ends what it has begun and takes nothing new', async () => {
  const server = await served()
  const gate = Promise.withResolvers<void>()
  server.store.before = () => gate.promise
  const begun = server.post('alertmanager', recordedBody('alertmanager-firing'))
  await pause(50)
  // Longer than this test may take: it ends because the work is done.
  const closed = server.triggers.close(60_000)
  await pause(20)
  await expect(server.post('alertmanager', '{}')).rejects.toThrow()
  gate.resolve()
  expect((await begun).status).toBe(202)
  await closed
})

test('being stopped, it waits no longer than it is given', async () => {
  const server = await served()
  server.store.mode = 'hangs'
  const begun = server.post('alertmanager', recordedBody('alertmanager-firing')).catch(() => 'hung up on')
  await pause(50)
  await server.triggers.close(50)
  expect(await begun).toBe('hung up on')
})
