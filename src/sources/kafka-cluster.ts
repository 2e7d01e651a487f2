/**
 * The brokers of one cluster for the length of one look. Who leads what comes from our own Metadata; each broker has its own
 * connection and its own deadline, so that one frozen or dead broker costs its own partitions and nothing else.
 */
import type { Traffic } from '../incident/findings.ts'
import type { KafkaAccess } from '../incident/pipeline.ts'
import { limitInFlight } from './http-limiter.ts'
import { addressOf, splitAddress } from './kafka-address.ts'
import type { Link, Wire } from './kafka-connection.ts'
import { prepareWire } from './kafka-connection.ts'
import type { KafkaFailure, Outcome } from './kafka-failure.ts'
import { failed, failureFrom } from './kafka-failure.ts'
import type { Api, BrokerAddress, Metadata } from './kafka-requests.ts'
import { decode, encode, metadataApi } from './kafka-requests.ts'
import { pause } from './pause.ts'

/** A broker that is well answers in milliseconds, a strained one in hundreds. One that takes longer than this counts as silent. */
const ANSWER_WITHIN_MS = 2_500
/** kafkajs's own limits lie behind ours, so that there is one reason for one thing. */
const KAFKAJS_LATER_MS = 1_000
/** So long one bootstrap address may be silent before the next is asked as well. */
const NEXT_BOOTSTRAP_AFTER_MS = 400

/** At most two requests in flight a broker, one where it answers slowly; shared by all sources and looks of this process. */
const limiter = limitInFlight(2)

export interface Cluster {
  /** Brokers and the named topics, from whichever broker answers first. Also forgets which brokers failed: they may be back. */
  readonly metadata: (topics: readonly string[]) => Promise<Outcome<Metadata>>
  /** One request to one broker. `node` = broker id from Metadata, or 'any'. */
  readonly ask: <Argument, Answer>(node: number | 'any', api: Api<Argument, Answer>, argument: Argument) => Promise<Outcome<Answer>>
  /** Whether the broker announces a request at all; false also when it cannot be reached. */
  readonly knows: (node: number, apiKey: number) => Promise<boolean>
  /** "host:port" of a broker id, for sentences. */
  readonly addressOf: (node: number) => string
  readonly traffic: () => readonly Traffic[]
  /** Ends every connection at once; nothing is left that would keep the process alive. */
  readonly close: () => void
}

interface Peer {
  readonly address: string
  readonly wire: Wire
  readonly link: Promise<Outcome<Link>>
  /** Set by the first request that got no answer: the rest of this look does not wait for this broker again. */
  failure: KafkaFailure | null
}

/** Opens nothing by itself: connections come with the first request. `signal` ends every wait. */
export function openCluster(access: KafkaAccess, signal: AbortSignal): Cluster {
  const peers = new Map<string, Peer>()
  const past: Wire[] = []
  const nodes = new Map<number, BrokerAddress>()
  let firstToAnswer: string | null = null
  let closed = false

  function peerAt(address: string): Peer {
    const known = peers.get(address)
    if (known !== undefined) return known
    const { host, port } = splitAddress(address)
    const wire = prepareWire(access, host, port, ANSWER_WITHIN_MS + KAFKAJS_LATER_MS)
    const link = within(wire.connect(), address, signal)
    const peer: Peer = { address, wire, link, failure: null }
    peers.set(address, peer)
    void link.then((outcome) => {
      if (outcome.ok) return
      peer.failure = outcome.failure
      wire.destroy()
    })
    return peer
  }

  async function askPeer<Argument, Answer>(address: string, api: Api<Argument, Answer>, argument: Argument): Promise<Outcome<Answer>> {
    if (closed || signal.aborted) return stopped(address)
    const peer = peerAt(address)
    const link = await peer.link
    if (!link.ok) return link
    const range = link.value.range(api.key)
    const version = Math.min(api.newest, range?.maxVersion ?? -1)
    if (range === undefined || version < api.oldest || version < range.minVersion) return tooOld(address, api, range?.maxVersion)
    const slot = await limiter.enter(`kafka://${address}`, signal)
    if (slot === null) return stopped(address)
    const sentMs = performance.now()
    try {
      if (peer.failure !== null) return { ok: false, failure: peer.failure }
      const frame = await within(link.value.send(api, version, encode(api, argument, version)), address, signal)
      if (frame.ok) return decode(api, frame.value, version)
      if (frame.failure.kind !== 'stopped') peer.failure = frame.failure
      return frame
    } finally {
      slot.leave(performance.now() - sentMs)
    }
  }

  /** Forgets brokers that refused or broke off: they may be restarting. A silent one stays given up for this look. */
  function forgetFailures(): void {
    for (const [address, peer] of peers) {
      if (peer.failure === null || peer.failure.kind === 'timed-out') continue
      peer.wire.destroy()
      past.push(peer.wire)
      peers.delete(address)
    }
  }

  /** Asks one address after the other, the next one also when the one before keeps silent; the first answer wins. */
  async function askFirst<Argument, Answer>(api: Api<Argument, Answer>, argument: Argument): Promise<Outcome<Answer>> {
    const addresses = new Set([
      ...(firstToAnswer === null ? [] : [firstToAnswer]),
      ...access.brokers,
      ...[...nodes.values()].map(addressOf),
    ])
    const failures: KafkaFailure[] = []
    const running = new Set<Promise<Outcome<Answer>>>()
    let winner: Outcome<Answer> | null = null
    for (const address of addresses) {
      const attempt = askPeer(address, api, argument).then((outcome) => {
        running.delete(attempt)
        if (outcome.ok) {
          winner ??= outcome
          firstToAnswer = address
        } else failures.push(outcome.failure)
        return outcome
      })
      running.add(attempt)
      await settledWithin(attempt, NEXT_BOOTSTRAP_AFTER_MS)
      if (winner !== null) return winner
    }
    while (running.size > 0 && winner === null) await Promise.race(running)
    return winner ?? { ok: false, failure: mostTelling(failures) ?? stoppedFailure('Kafka') }
  }

  return {
    async metadata(topics) {
      forgetFailures()
      const outcome = await askFirst(metadataApi, topics)
      if (outcome.ok) for (const broker of outcome.value.brokers) nodes.set(broker.id, broker)
      return outcome
    },
    async ask(node, api, argument) {
      if (node === 'any') return askFirst(api, argument)
      const broker = nodes.get(node)
      if (broker === undefined)
        return failed('missing', `broker ${node} is not in the cluster's list of brokers: it is down or being replaced`, true)
      return askPeer(addressOf(broker), api, argument)
    },
    async knows(node, apiKey) {
      const broker = nodes.get(node)
      if (broker === undefined) return false
      const link = await peerAt(addressOf(broker)).link
      return link.ok && link.value.range(apiKey) !== undefined
    },
    addressOf(node) {
      const broker = nodes.get(node)
      return broker === undefined ? `broker ${node}` : addressOf(broker)
    },
    traffic() {
      const byAddress = new Map<string, Traffic>()
      const add = (address: string, wire: Wire): void => {
        const seen = byAddress.get(address)
        byAddress.set(address, {
          to: `broker ${address}`,
          requests: wire.requests + (seen?.requests ?? 0),
          bytes: wire.bytes + (seen?.bytes ?? 0),
        })
      }
      for (const [address, peer] of peers) add(address, peer.wire)
      for (const wire of past) add(wire.address, wire)
      return [...byAddress.values()].filter((entry) => entry.requests > 0)
    },
    close() {
      closed = true
      for (const peer of peers.values()) peer.wire.destroy()
    },
  }
}

/** Waits for an answer no longer than a broker may take and never past the end of the look. The promise given up on is left to fail in silence. */
async function within<T>(promise: Promise<T>, address: string, signal: AbortSignal): Promise<Outcome<T>> {
  const settled: Promise<Outcome<T>> = promise.then(
    (value) => ({ ok: true, value }),
    (cause: unknown) => ({ ok: false, failure: failureFrom(cause, address) }),
  )
  if (signal.aborted) return stopped(address)
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const given = new Promise<Outcome<T>>((resolve) => {
    timer = setTimeout(
      () =>
        resolve(
          failed(
            'timed-out',
            `broker ${address} did not answer within ${ANSWER_WITHIN_MS / 1000} s (frozen, overloaded, or a firewall drops the packets)`,
          ),
        ),
      ANSWER_WITHIN_MS,
    )
    stop = () => resolve(stopped(address))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([settled, given])
  } finally {
    clearTimeout(timer)
    if (stop !== undefined) signal.removeEventListener('abort', stop)
  }
}

/** Resolves when `promise` settles, after `ms` at the latest. */
async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const enough = new AbortController()
  await Promise.race([promise, pause(ms, enough.signal)])
  enough.abort()
}

function tooOld(address: string, api: { readonly name: string; readonly oldest: number }, newest: number | undefined): Outcome<never> {
  const speaks = newest === undefined ? 'does not know it' : `speaks it up to version ${newest}`
  return failed('too-old', `${api.name} version ${api.oldest} is needed and broker ${address} ${speaks}: Kafka 3.0 or newer can be read`)
}

function stoppedFailure(address: string): KafkaFailure {
  return {
    kind: 'stopped',
    sentence: `time was up before ${address === 'Kafka' ? 'Kafka' : `broker ${address}`} answered`,
    retryable: false,
  }
}

function stopped(address: string): Outcome<never> {
  return { ok: false, failure: stoppedFailure(address) }
}

/** Of several failed addresses the one that says most: a refused login tells more than a closed port. */
function mostTelling(failures: readonly KafkaFailure[]): KafkaFailure | undefined {
  const order = ['login', 'certificate', 'too-old', 'malformed', 'broken', 'timed-out', 'refused', 'unreachable']
  const rank = (failure: KafkaFailure): number => (order.includes(failure.kind) ? order.indexOf(failure.kind) : order.length)
  return failures.toSorted((a, b) => rank(a) - rank(b))[0]
}
