/** A broker of a few lines on a loopback port: answers what a test tells it to, or keeps silent, or breaks off. */
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { FrameReader, FrameWriter } from '../../src/sources/kafka-codec.ts'

/** The body of an answer, `silent` for none at all, `close` to break off. */
export type Reply = Buffer | 'silent' | 'close'

export interface FakeBroker {
  readonly port: number
  /** Api keys of the requests that arrived, in order. */
  readonly asked: number[]
  readonly openSockets: () => number
  readonly stop: () => Promise<void>
}

/** `answer` sees every request but ApiVersions; `body` starts behind the request header. */
export async function startFakeBroker(answer: (apiKey: number, version: number, body: FrameReader) => Reply): Promise<FakeBroker> {
  const asked: number[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let buffered = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk])
      while (buffered.length >= 4 && buffered.length >= 4 + buffered.readInt32BE(0)) {
        const frame = buffered.subarray(4, 4 + buffered.readInt32BE(0))
        buffered = buffered.subarray(4 + frame.length)
        handle(socket, frame)
      }
    })
  })
  function handle(socket: Socket, frame: Buffer): void {
    const [key, version, correlation] = [frame.readInt16BE(0), frame.readInt16BE(2), frame.subarray(4, 8)]
    const clientId = Math.max(0, frame.readInt16BE(8))
    asked.push(key)
    const API_VERSIONS = 18
    const body = new FrameReader(frame.subarray(10 + clientId))
    if (key !== API_VERSIONS) body.tags()
    const reply = key === API_VERSIONS ? ranges() : answer(key, version, body)
    if (reply === 'silent') return
    if (reply === 'close') {
      socket.destroy()
      return
    }
    const size = Buffer.alloc(4)
    size.writeInt32BE(4 + reply.length)
    socket.write(Buffer.concat([size, correlation, reply]))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    openSockets: () => sockets.size,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** ApiVersions v2 as Kafka 4.4.0 announces what we use; kafkajs needs a few more to find its way. */
function ranges(): Buffer {
  const announced = [
    [2, 1, 11],
    [3, 0, 13],
    [9, 1, 10],
    [10, 0, 6],
    [15, 0, 6],
    [18, 0, 4],
    [32, 1, 4],
    [69, 0, 1],
  ] as const
  const writer = new FrameWriter().int16(0).int32(announced.length)
  for (const [key, oldest, newest] of announced) writer.int16(key).int16(oldest).int16(newest)
  return writer.int32(0).frame()
}

export interface FakePartition {
  readonly partition: number
  readonly leader: number
  readonly error?: number
}

/** A Metadata answer (v12): broker ids with their ports on loopback, and one topic. */
export function metadataReply(
  brokers: ReadonlyMap<number, number>,
  topic: string,
  partitions: readonly FakePartition[],
  error = 0,
): Buffer {
  const writer = new FrameWriter().tags().int32(0)
  writer.array([...brokers], ([id, port]) => writer.int32(id).string('127.0.0.1').int32(port).string(null).tags())
  writer.string('cluster').int32(1)
  writer.array([topic], () => {
    writer.int16(error).string(topic).zeroUuid().bool(false)
    writer.array(partitions, (state) => {
      writer
        .int16(state.error ?? 0)
        .int32(state.partition)
        .int32(state.leader)
        .int32(0)
      writer
        .array([1, 2], (id) => writer.int32(id))
        .array([1], (id) => writer.int32(id))
        .array([], () => undefined)
        .tags()
    })
    writer.int32(0).tags()
  })
  return writer.tags().frame()
}

/** What a ListOffsets request asks: partition and timestamp. */
export function offsetsAsked(body: FrameReader): {
  readonly topic: string
  readonly asked: readonly { readonly partition: number; readonly timestamp: number }[]
} {
  body.int32()
  body.int8()
  const topics = body.array(1, () => {
    const topic = body.string()
    const asked = body.array(1, () => {
      const partition = body.int32()
      body.int32()
      const timestamp = body.int64()
      body.tags()
      return { partition, timestamp }
    })
    body.tags()
    return { topic, asked }
  })
  return topics[0] ?? { topic: '', asked: [] }
}

/** A ListOffsets answer. */
export function offsetsReply(
  topic: string,
  rows: readonly { readonly partition: number; readonly offset: number; readonly error?: number; readonly timestamp?: number }[],
): Buffer {
  const writer = new FrameWriter().tags().int32(0)
  writer.array([topic], () => {
    writer.string(topic)
    writer
      .array(rows, (row) =>
        writer
          .int32(row.partition)
          .int16(row.error ?? 0)
          .int64(row.timestamp ?? -1)
          .int64(row.offset)
          .int32(0)
          .tags(),
      )
      .tags()
  })
  return writer.tags().frame()
}

/** A DescribeConfigs answer (v4) for one topic; by default the refusal a principal without DescribeConfigs gets. */
export function configReply(values: Readonly<Record<string, string>>, error = 29): Buffer {
  const writer = new FrameWriter().tags().int32(0)
  writer.array([values], () => {
    writer.int16(error).string(null).int8(2).string('orders')
    writer.array(Object.entries(values), ([name, value]) => {
      writer.string(name).string(value).bool(false).int8(1).bool(false)
      writer
        .array([], () => undefined)
        .int8(2)
        .string(null)
        .tags()
    })
    writer.tags()
  })
  return writer.tags().frame()
}
