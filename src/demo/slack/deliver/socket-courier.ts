/** Brings parcels over Socket Mode: the app connects, each envelope goes to one of its connections. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { Chance } from '../chance.ts'
import type { Clock } from '../clock.ts'
import type { FaultScript } from '../faults/script.ts'
import { fieldsOf, parsedJson, textOf } from '../json.ts'
import type { Courier, Receipt } from './parcel.ts'
import { ACKNOWLEDGE_WITHIN_MS, notAcknowledged } from './parcel.ts'

/** Slack refuses more connections of one app. */
const MOST_CONNECTIONS = 10
const PING_EVERY_MS = 10_000

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets'

export interface SocketCourier extends Courier {
  /** A fresh address; it opens one connection. */
  readonly address: () => string
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly connections: () => number
  /** Asks every connection to go, as Slack does every few hours. */
  readonly disconnect: (reason: DisconnectReason) => void
  /** Breaks every connection without a word. */
  readonly drop: () => void
  readonly close: () => void
}

interface Connection {
  readonly socket: WebSocket
  readonly line: Duplex
}

interface Parts {
  readonly appId: string
  readonly base: () => string
  readonly clock: Clock
  readonly chance: Chance
  readonly faults: FaultScript
}

export function socketCourier({ appId, base, clock, chance, faults }: Parts): SocketCourier {
  const server = new WebSocketServer({ noServer: true })
  const tickets = new Set<string>()
  const open = new Set<Connection>()
  const waiting = new Map<string, (receipt: Receipt) => void>()

  const welcome = async (connection: Connection): Promise<void> => {
    const fault = faults.strike('socket.hello', {})
    if (fault?.kind === 'silence') return
    if (fault?.kind === 'late') await clock.sleep(fault.ms)
    if (open.size >= MOST_CONNECTIONS) return part(connection, 'too_many_websockets')
    open.add(connection)
    const debug = { host: 'stand-in', started: new Date(clock.now()).toISOString(), build_number: 1, approximate_connection_time: 18_060 }
    send(connection, { type: 'hello', num_connections: open.size, debug_info: debug, connection_info: { app_id: appId } })
    while (await clock.sleep(PING_EVERY_MS)) {
      if (!open.has(connection)) return
      connection.socket.ping()
    }
  }

  const heard = (text: string): void => {
    const answer = fieldsOf(parsedJson(text))
    const payload = fieldsOf(answer.payload)
    waiting.get(textOf(answer.envelope_id))?.({ kind: 'acknowledged', body: Object.keys(payload).length === 0 ? null : answer.payload })
  }

  return {
    address() {
      const ticket = chance.id('', 16)
      tickets.add(ticket)
      return `${base().replace(/^http/, 'ws')}/link?ticket=${ticket}`
    },
    upgrade(request, line, head) {
      const url = new URL(request.url ?? '/', base())
      const fault = faults.strike('socket.open', {})
      if (fault?.kind === 'cut' || url.pathname !== '/link' || !tickets.delete(url.searchParams.get('ticket') ?? '')) {
        line.destroy()
        return
      }
      server.handleUpgrade(request, line, head, (socket) => {
        const connection = { socket, line }
        socket.on('message', (data: Buffer) => heard(data.toString()))
        socket.on('close', () => open.delete(connection))
        socket.on('error', () => open.delete(connection))
        void welcome(connection)
      })
    },
    async carry(parcel, torn) {
      const connections = [...open]
      const connection = connections[chance.between([0, connections.length - 1])]
      if (connection === undefined) return notAcknowledged('connection_failed')
      const id = `${chance.id('', 8)}-${chance.id('', 12)}`.toLowerCase()
      const retry =
        parcel.kind === 'events_api' ? { retry_attempt: parcel.retry?.num ?? 0, retry_reason: parcel.retry === null ? '' : 'timeout' } : {}
      const envelope = {
        envelope_id: id,
        type: parcel.kind,
        payload: parcel.payload,
        accepts_response_payload: parcel.answerable,
        ...retry,
      }
      if (torn) {
        tear(connection, JSON.stringify(envelope))
        open.delete(connection)
        return notAcknowledged('timeout')
      }
      const patience = new AbortController()
      const acknowledged = new Promise<Receipt>((resolve) => waiting.set(id, resolve))
      send(connection, envelope)
      const first = await Promise.race([
        acknowledged,
        clock.sleep(ACKNOWLEDGE_WITHIN_MS, patience.signal).then(() => notAcknowledged('timeout')),
      ])
      patience.abort()
      waiting.delete(id)
      return first
    },
    connections: () => open.size,
    disconnect(reason) {
      for (const connection of open) part(connection, reason)
    },
    drop() {
      for (const { line } of open) line.destroy()
      open.clear()
    },
    close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

function send({ socket }: Connection, value: unknown): void {
  socket.send(JSON.stringify(value))
}

function part(connection: Connection, reason: DisconnectReason): void {
  send(connection, { type: 'disconnect', reason, debug_info: { host: 'stand-in' } })
}

/** Half of a text frame (RFC 6455, unmasked, 16-bit length), then the line breaks. */
function tear({ line }: Connection, text: string): void {
  const body = Buffer.from(text).subarray(0, 65_000)
  const head = Buffer.from([0x81, 126, body.length >> 8, body.length & 0xff])
  line.write(Buffer.concat([head, body.subarray(0, body.length / 2)]), () => line.destroy())
}
