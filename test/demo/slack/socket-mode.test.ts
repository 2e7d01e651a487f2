/** Socket Mode, frame by frame: hello, envelopes, acknowledgements, and sockets that break. */
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket as PingingSocket } from 'ws'
import type { Fields } from '../../../src/demo/slack/json.ts'
import { demoApp } from '../../../src/demo/slack/settings.ts'
import type { Stand } from './open-stand-in.ts'
import { CHANNEL, openStandIn } from './open-stand-in.ts'

interface Line {
  readonly frames: Fields[]
  readonly socket: WebSocket
  readonly closed: () => boolean
}

/** Connects as an app does; answers every envelope unless told not to. */
async function connect(stand: Stand, acknowledge: (frame: Fields) => unknown = () => ({})): Promise<Line> {
  const { url } = await stand.call('apps.connections.open', {}, demoApp.appToken)
  const socket = new WebSocket(String(url))
  onTestFinished(() => socket.close())
  const frames: Fields[] = []
  let closed = false
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Fields
    frames.push(frame)
    const payload = frame.envelope_id === undefined ? null : acknowledge(frame)
    if (payload !== null) socket.send(JSON.stringify({ envelope_id: frame.envelope_id, payload }))
  })
  socket.addEventListener('close', () => {
    closed = true
  })
  await new Promise((opened) => socket.addEventListener('open', opened))
  return { frames, socket, closed: () => closed }
}

const type = { user: 'U0AMARA', channel: CHANNEL, line: '/headwater help' }
const came = async (stand: Stand, { frames }: Line, count: number): Promise<Fields[]> => {
  expect(await stand.observer.until(() => frames.length >= count)).toBe(true)
  return frames
}

test('hello names the app and the connections; an address opens one connection only', async () => {
  const stand = await openStandIn()
  const line = await connect(stand)
  const [hello] = await came(stand, line, 1)
  expect(hello).toMatchObject({
    type: 'hello',
    num_connections: 1,
    connection_info: { app_id: demoApp.id },
    debug_info: { host: 'stand-in' },
  })
  const again = new WebSocket(line.socket.url)
  await new Promise((refused) => again.addEventListener('error', refused))
  expect(stand.socket.connections()).toBe(1)
})

test('both sides ping, and both answer', { timeout: 60_000 }, async () => {
  const stand = await openStandIn()
  const { url } = await stand.call('apps.connections.open', {}, demoApp.appToken)
  const socket = new PingingSocket(String(url))
  onTestFinished(() => socket.terminate())
  // The other side has the connection sooner than we do, and a ping before that is an error.
  await once(socket, 'open')
  const answered = once(socket, 'pong')
  socket.ping()
  await answered
  const pinged = once(socket, 'ping')
  await stand.clock.advance(10_000)
  await pinged
})

test('a slash command comes as an envelope, and its answer goes with the acknowledgement', async () => {
  const stand = await openStandIn()
  const line = await connect(stand, () => ({ text: 'looking' }))
  await came(stand, line, 1)
  await stand.observer.type(type)
  expect(line.frames[1]).toMatchObject({
    type: 'slash_commands',
    accepts_response_payload: true,
    payload: { command: '/headwater', text: 'help' },
  })
  expect(stand.observer.shownOnlyTo('U0AMARA').map((one) => one.now.text)).toEqual(['looking'])
})

test('with nobody connected, and with nobody acknowledging', async () => {
  const stand = await openStandIn()
  await stand.observer.type(type)
  await came(stand, await connect(stand, () => null), 1)
  const typed = stand.observer.type(type)
  await stand.clock.advance(3_000)
  await typed
  expect(stand.observer.shownOnlyTo('U0AMARA').map((one) => one.now.text)).toEqual([
    '/headwater failed with the error "dispatch_failed"',
    '/headwater failed with the error "operation_timeout"',
  ])
})

test('an event that is not acknowledged comes again, marked as a retry', async () => {
  const stand = await openStandIn()
  let acknowledges = false
  const line = await connect(stand, () => (acknowledges ? {} : null))
  await came(stand, line, 1)
  stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: '@headwater' })
  await came(stand, line, 2)
  acknowledges = true
  await stand.clock.advance(3_000)
  await came(stand, line, 3)
  const [, first, second] = line.frames
  expect(first).toMatchObject({ type: 'events_api', accepts_response_payload: false, retry_attempt: 0, retry_reason: '' })
  expect(second).toMatchObject({ retry_attempt: 1, retry_reason: 'timeout', payload: first!.payload })
  expect(second!.envelope_id).not.toBe(first!.envelope_id)
  expect(await stand.observer.until(() => stand.observer.delivered().length === 2)).toBe(true)
  await stand.clock.advance(600_000)
  expect(line.frames).toHaveLength(3)
})

test('each envelope goes to one of the open connections', async () => {
  const stand = await openStandIn()
  const lines = [await connect(stand), await connect(stand)]
  for (const line of lines) await came(stand, line, 1)
  for (let count = 0; count < 12; count++) await stand.observer.type(type)
  const counts = lines.map(({ frames }) => frames.filter((one) => one.type === 'slash_commands').length)
  expect(counts[0]! + counts[1]!).toBe(12)
  expect(Math.min(...counts)).toBeGreaterThan(0)
})

test('an eleventh connection is sent away', async () => {
  const stand = await openStandIn()
  const lines: Line[] = []
  for (let count = 0; count < 11; count++) lines.push(await connect(stand))
  await came(stand, lines[10]!, 1)
  expect(lines[10]!.frames[0]).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' })
  expect(stand.socket.connections()).toBe(10)
})

describe('what breaks', () => {
  test('hello is never said', async () => {
    const stand = await openStandIn()
    stand.faults.add({ on: 'socket.hello', fault: { kind: 'silence' } })
    const line = await connect(stand)
    await stand.clock.advance(60_000)
    expect(line.frames).toEqual([])
    expect(stand.socket.connections()).toBe(0)
  })

  test.each(['warning', 'refresh_requested', 'link_disabled'] as const)('disconnect: %s', async (reason) => {
    const stand = await openStandIn()
    const line = await connect(stand)
    await came(stand, line, 1)
    stand.socket.disconnect(reason)
    expect((await came(stand, line, 2))[1]).toMatchObject({ type: 'disconnect', reason })
  })

  test('the socket breaks in the middle of an envelope; the event comes again on the next one', async () => {
    const stand = await openStandIn()
    const line = await connect(stand)
    await came(stand, line, 1)
    stand.faults.add({ on: 'deliver.events_api', fault: { kind: 'tear' } })
    stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: '@headwater' })
    expect(await stand.observer.until(line.closed)).toBe(true)
    expect(line.frames).toHaveLength(1)
    const next = await connect(stand)
    await came(stand, next, 1)
    await stand.clock.advance(0)
    expect((await came(stand, next, 2))[1]).toMatchObject({ type: 'events_api', retry_attempt: 1 })
  })

  test('all sockets break without a word', async () => {
    const stand = await openStandIn()
    const line = await connect(stand)
    await came(stand, line, 1)
    stand.socket.drop()
    expect(await stand.observer.until(line.closed)).toBe(true)
  })
})
