import { afterEach, describe, expect, test } from 'vitest'
import { addressOf, splitAddress } from '../../src/sources/kafka-address.ts'
import { prepareWire, READ_ONLY, watchFrames } from '../../src/sources/kafka-connection.ts'
import { failureFrom, failureOf } from '../../src/sources/kafka-failure.ts'
import type { FakeBroker } from './kafka-fake-broker.ts'
import { startFakeBroker } from './kafka-fake-broker.ts'

const running: FakeBroker[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.stop()))
})

const access = { brokers: [], clientId: 'headwater', tls: false, sasl: null }

async function connected(): Promise<{
  broker: FakeBroker
  wire: ReturnType<typeof prepareWire>
  link: Awaited<ReturnType<ReturnType<typeof prepareWire>['connect']>>
}> {
  const broker = await startFakeBroker((key) => (key === 3 ? Buffer.from('00', 'hex') : 'silent'))
  running.push(broker)
  const wire = prepareWire(access, '127.0.0.1', broker.port, 1_000)
  return { broker, wire, link: await wire.connect() }
}

describe('read only', () => {
  test('requests that write, or join, or fetch records, are not in the list', () => {
    const PRODUCE_FETCH_COMMIT_JOIN = [0, 1, 8, 11, 13, 14]
    const CREATE_DELETE_ALTER = [19, 20, 21, 22, 24, 25, 26, 28, 29, 30, 31, 33, 34, 37, 38, 42, 43, 44, 45, 47, 49, 51, 57, 64]
    expect([...PRODUCE_FETCH_COMMIT_JOIN, ...CREATE_DELETE_ALTER].filter((key) => READ_ONLY.has(key))).toEqual([])
    expect([...READ_ONLY].sort((a, b) => a - b)).toEqual([2, 3, 9, 10, 15, 32, 69])
  })

  test('a request outside the list is refused before a byte leaves', async () => {
    const { broker, wire, link } = await connected()
    const { requests } = wire
    await expect(link.send({ key: 20, name: 'DeleteTopics' }, 6, Buffer.from('00', 'hex'))).rejects.toThrow('not read-only')
    await link.send({ key: 3, name: 'Metadata' }, 12, Buffer.from('00', 'hex'))
    expect(wire.requests).toBe(requests + 1)
    expect(broker.asked).toEqual([18, 3])
    wire.destroy()
  })

  test('the socket itself carries no other request, whoever writes it', async () => {
    const { broker, wire } = await connected()
    // What any part of kafkajs would do to send a DeleteTopics over this connection.
    const sneaky = Object.assign(Object.create(null) as object, { key: 3, name: 'Metadata' })
    let asked = 0
    Object.defineProperty(sneaky, 'key', { get: () => (asked++ === 0 ? 3 : 20) })
    const link = await prepareWire(access, '127.0.0.1', broker.port, 1_000).connect()
    await expect(link.send(sneaky as never, 6, Buffer.from('00', 'hex'))).rejects.toThrow('not read-only')
    expect(broker.asked).toEqual([18, 18])
    wire.destroy()
  })
})

describe('ending', () => {
  test('what is in flight is given up at once, the socket goes, and nothing connects again', async () => {
    const { broker, wire, link } = await connected()
    const open = link.send({ key: 2, name: 'ListOffsets' }, 11, Buffer.from('00', 'hex'))
    const startMs = performance.now()
    wire.destroy()
    await expect(open).rejects.toThrow()
    expect(performance.now() - startMs).toBeLessThan(100)
    await expect.poll(broker.openSockets).toBe(0)
    await expect(link.send({ key: 3, name: 'Metadata' }, 12, Buffer.from('00', 'hex'))).rejects.toThrow()
    expect(broker.openSockets()).toBe(0)
  })
})

describe('frame lengths', () => {
  const frame = (length: number, body: number): Buffer => {
    const bytes = Buffer.alloc(4 + body)
    bytes.writeInt32BE(length)
    return bytes
  }

  test('whole frames pass however the stream is cut', () => {
    const stream = Buffer.concat([frame(10, 10), frame(4, 4), frame(1_000, 1_000), frame(5, 5)])
    for (const size of [1, 2, 3, 5, 7, 64, stream.length]) {
      const watch = watchFrames()
      for (let at = 0; at < stream.length; at += size) expect(watch(stream.subarray(at, at + size))).toBe(true)
    }
  })

  test('a length that no frame has ends the stream: negative, too short, too long', () => {
    expect(watchFrames()(frame(-1, 0))).toBe(false)
    expect(watchFrames()(frame(3, 3))).toBe(false)
    expect(watchFrames()(frame(0x7fff_ffff, 0))).toBe(false)
    expect(watchFrames()(Buffer.from('HTTP/1.1 400 Bad Request'))).toBe(false)
    expect(watchFrames()(Buffer.concat([frame(4, 4), frame(0, 0)]))).toBe(false)
  })
})

test('addresses as people write them', () => {
  expect(splitAddress('kafka-1:9093')).toEqual({ host: 'kafka-1', port: 9093 })
  expect(splitAddress('SASL_SSL://kafka-1:9093')).toEqual({ host: 'kafka-1', port: 9093 })
  expect(splitAddress('kafka-1')).toEqual({ host: 'kafka-1', port: 9092 })
  expect(splitAddress('[::1]:9093')).toEqual({ host: '::1', port: 9093 })
  expect(addressOf({ host: '::1', port: 9093 })).toBe('[::1]:9093')
})

describe('failures in words', () => {
  test('every code has a sentence; the ones on the move are asked again', () => {
    for (const code of [5, 6, 14, 15, 16, 78]) expect(failureOf(code).retryable).toBe(true)
    for (const code of [29, 30, 31, 35, 69]) expect(failureOf(code).retryable).toBe(false)
    expect(failureOf(12_345).sentence).toContain('12345')
  })

  test('what kafkajs throws', () => {
    const from = (fields: object): string => failureFrom({ name: 'KafkaJSConnectionError', ...fields }, 'b:9092').kind
    expect(from({ message: 'Connection error: ', code: 'ECONNREFUSED' })).toBe('refused')
    expect(from({ message: 'getaddrinfo ENOTFOUND b', code: 'ENOTFOUND' })).toBe('unreachable')
    expect(from({ message: 'Connection timeout' })).toBe('timed-out')
    expect(from({ name: 'KafkaJSRequestTimeoutError', message: 'Request ApiVersions(key: 18, version: 2) timed out' })).toBe('timed-out')
    expect(from({ name: 'KafkaJSSASLAuthenticationError', message: 'SASL PLAIN authentication failed' })).toBe('login')
    expect(from({ message: 'Closed connection' })).toBe('broken')
    expect(from({ message: 'read ECONNRESET', code: 'ECONNRESET' })).toBe('broken')
    expect(failureFrom('odd', 'b:9092').sentence).toContain('b:9092')
  })
})
