/** Every implementation of the store, each as a test can open it: the same tests run over all of them. */
import type { Redis } from 'ioredis'
import type { StoreLimits } from '../../src/store/limits.ts'
import { usualLimits } from '../../src/store/limits.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { connectRedis } from '../../src/store/redis-client.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import { noon } from '../build/stored-values.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'

export interface OpenStore {
  readonly store: Store
  /** Lets what is kept for a time grow older. */
  readonly pass: (ms: number) => Promise<void>
}

export interface StoreKind {
  readonly name: string
  /** false = what it needs is missing on this machine. */
  readonly here: boolean
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
  /** A new, empty one. */
  readonly open: (limits?: Partial<StoreLimits>) => Promise<OpenStore>
}

export function memoryKind(): StoreKind {
  return {
    name: 'in memory',
    here: true,
    begin: async () => {},
    end: async () => {},
    async open(limits) {
      let now = noon
      const store = memoryStore(() => now, { ...usualLimits, ...limits })
      return {
        store,
        pass: async (ms) => {
          now += ms
        },
      }
    },
  }
}

export function redisKind(): StoreKind {
  let redis: TestRedis
  const open: Store[] = []
  return {
    name: 'in Redis',
    here: redisProgram() !== null,
    async begin() {
      redis = await startRedis()
    },
    async end() {
      await Promise.all(open.map((store) => store.close()))
      await redis.stop()
    },
    async open(limits) {
      const client = await connectRedis(redis.url, () => {})
      const prefix = `test-${open.length}`
      const store = redisStore(client, prefix, { ...usualLimits, ...limits })
      open.push(store)
      return { store, pass: (ms) => shortenLives(client, prefix, ms) }
    },
  }
}

/** What is to live for a time gets so much less of it: nobody has to wait. */
async function shortenLives(client: Redis, prefix: string, ms: number): Promise<void> {
  for (const key of await client.keys(`${prefix}:*`)) {
    const left = await client.pttl(key)
    if (left >= 0) await client.pexpire(key, left - ms)
  }
}
