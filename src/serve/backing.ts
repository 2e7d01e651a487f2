/** Store and queue of a running service: in Redis, or as whoever starts the service hands them in. */
import type { ServiceSettings } from '../config/service.ts'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { bullmqQueue } from '../queue/bullmq-queue.ts'
import type { AtOnce } from '../queue/lanes.ts'
import type { Trouble } from '../queue/trouble.ts'
import { linkRedis } from '../store/redis-link.ts'
import type { Figures } from '../triggers/metrics.ts'
import type { Clock } from '../workflow/clock.ts'
import type { Queue, Store } from '../workflow/incident-ports.ts'
import { depthFigures } from './figures.ts'

export interface Embedded {
  readonly store: Store
  readonly queue: Queue
}

export interface Backing {
  /** Fails at once, with a reason, while it is away. */
  readonly store: Store
  readonly checkStore: () => Promise<string | null>
  /** Waits for as long as it takes. @throws HeadwaterError store_mistaken when Redis is refused, interrupted */
  readonly accepted: (signal: AbortSignal) => Promise<void>
  /** Once it is accepted. @throws HeadwaterError interrupted */
  readonly openQueue: (signal: AbortSignal) => Promise<OpenQueue>
}

export interface OpenQueue {
  readonly queue: Queue
  readonly check: () => Promise<string | null>
  readonly figures: Figures
}

/** Jobs at a time in one process: a look mostly waits for the systems it asks, and then needs a processor for a moment. */
const atOnce: AtOnce = { quick: 16, slow: 4 }
/** Between two tries to open the queue, ms. */
const againMs = 1_000

export interface BackingOptions {
  readonly settings: Pick<ServiceSettings, 'redis'>
  readonly embedded: Embedded | null
  readonly clock: Clock
  readonly log: Log
  readonly troubled: (trouble: Trouble) => void
}

/** @throws HeadwaterError config_mistaken when there is neither */
export function backingOf({ settings: { redis }, embedded, clock, log, troubled }: BackingOptions): Backing {
  if (embedded !== null) return embeddedBacking(embedded)
  if (redis === null) throw new HeadwaterError('config_mistaken', 'redis: is missing: serve needs it')
  const { url, prefix } = redis
  const link = linkRedis({ url, prefix, policy: redis, log })

  async function openQueue(signal: AbortSignal): Promise<OpenQueue> {
    for (;;) {
      if (signal.aborted) throw new HeadwaterError('interrupted', 'stopped while waiting for Redis')
      try {
        const queue = await bullmqQueue({ url, prefix, clock, atOnce, troubled })
        return { queue, check: () => queue.depth().then(() => null), figures: async () => depthFigures(await queue.depth()) }
      } catch (error) {
        if (!(error instanceof HeadwaterError && error.retryable)) throw error
        log.warn('the queue cannot be opened yet; it is tried again', { why: messageOf(error) })
        await clock.wait(againMs, signal)
      }
    }
  }

  return { store: link.store, checkStore: link.check, accepted: link.accepted, openQueue }
}

function embeddedBacking({ store, queue }: Embedded): Backing {
  return {
    store,
    checkStore: async () => null,
    accepted: async () => {},
    openQueue: async () => ({ queue, check: async () => null, figures: async () => [] }),
  }
}
