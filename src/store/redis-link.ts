/**
 * The store of a running service: in a Redis that may be away when the service starts, go away later, and come back as another one. Each
 * time it answers it is looked at first; until it has been accepted every call fails at once with a reason, as if it were away.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Store } from '../workflow/incident-ports.ts'
import { openRedis } from './redis-client.ts'
import type { Finding, HealthPolicy } from './redis-health.ts'
import { acceptRedis, lookAtRedis, said } from './redis-health.ts'
import { redisStore } from './redis-store.ts'

export interface RedisLinkOptions {
  readonly url: string
  readonly prefix: string
  readonly policy: HealthPolicy
  readonly log: Log
  /** How often a Redis that is away is spoken of, and one that is refused looked at again, ms. */
  readonly againMs?: number
  /** How often one that is accepted is looked at again, ms: somebody may set it up otherwise while it runs. */
  readonly lookEveryMs?: number
}

export interface RedisLink {
  readonly store: Store
  /** Resolves once Redis has answered and is accepted. @throws HeadwaterError store_mistaken when it is refused, interrupted */
  readonly accepted: (signal: AbortSignal) => Promise<void>
  /** For /readyz: null when all is well, else in a few fixed words what is not. */
  readonly check: () => Promise<string | null>
}

/** null = accepted. */
type Closed = HeadwaterError | null

export function linkRedis({ url, prefix, policy, log, againMs = 30_000, lookEveryMs = 5 * 60_000 }: RedisLinkOptions): RedisLink {
  let closed: Closed = new HeadwaterError('store_unavailable', 'Redis has not answered yet')
  let change = Promise.withResolvers<void>()
  let spokenMs = Number.NEGATIVE_INFINITY
  let warned: readonly string[] = []
  const closing = new AbortController()

  const set = (to: Closed): void => {
    closed = to
    change.resolve()
    change = Promise.withResolvers()
  }
  const redis = openRedis(url, (error) => {
    if (performance.now() - spokenMs < againMs) return
    spokenMs = performance.now()
    log.warn('Redis is away; the service waits for it and goes on by itself', { why: messageOf(error) })
  })
  redis.on('ready', () => void look())
  redis.on('close', () => {
    if (closed === null) log.warn('the connection to Redis is gone')
    // A refusal stands until Redis says otherwise.
    if (closed?.code !== 'store_mistaken') set(new HeadwaterError('store_unavailable', 'Redis is away'))
  })

  async function look(): Promise<void> {
    try {
      warn(acceptRedis(await findings(), policy))
      spokenMs = Number.NEGATIVE_INFINITY
      if (closed !== null) log.info('Redis answers and is accepted', { prefix })
      set(null)
    } catch (error) {
      const why = error instanceof HeadwaterError ? error : new HeadwaterError('internal', messageOf(error), { cause: error })
      // Away again before it had answered: it is looked at when it is back.
      if (why.retryable) return
      log.error('Redis is refused; nothing is stored in it until it is set up otherwise', { why: why.message })
      set(why)
      await sleep(againMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (!closing.signal.aborted && redis.status === 'ready') await look()
    }
  }

  /** Ends with the service. */
  async function lookNowAndThen(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (!closing.signal.aborted && redis.status === 'ready' && closed === null) await look()
    }
  }

  async function findings(): Promise<readonly Finding[]> {
    try {
      return await lookAtRedis(redis)
    } catch (error) {
      if (!(error instanceof HeadwaterError) || error.retryable) throw error
      return [{ risk: 'cannot_tell', says: `whether Redis keeps what it is given cannot be told: ${error.message}`, mend: [] }]
    }
  }

  /** What was said of it before need not be said again each time it comes back. */
  function warn(found: readonly Finding[]): void {
    const all = found.map(said)
    for (const says of all) if (!warned.includes(says)) log.warn('Redis could lose what is stored in it', { why: says })
    warned = all
  }

  void lookNowAndThen()
  const store = redisStore(redis, prefix)
  return {
    store: gated(
      {
        ...store,
        async close() {
          closing.abort()
          await store.close()
        },
      },
      () => closed,
    ),
    async accepted(signal) {
      const interrupted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      while (closed !== null) {
        if (signal.aborted) throw new HeadwaterError('interrupted', 'stopped while waiting for Redis')
        if (!closed.retryable) throw closed
        await Promise.race([change.promise, interrupted])
      }
    },
    async check() {
      if (closed !== null) return closed.retryable ? 'does not answer' : 'is refused'
      await store.head()
      return null
    },
  }
}

/** @param closed why no call may go through now; null = it may. What closes the store always may. */
function gated(store: Store, closed: () => Closed): Store {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key === 'close' || typeof value !== 'function') return value
      return (...args: readonly unknown[]) => {
        const why = closed()
        if (why === null) return Reflect.apply(value, target, args) as unknown
        return Promise.reject(why.retryable ? why : new HeadwaterError('store_unavailable', `Redis is refused: ${why.message}`))
      }
    },
  })
}
