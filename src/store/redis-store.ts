/** The store in Redis, shared by any number of processes on any number of machines. */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Store } from '../workflow/incident-ports.ts'
import { sealBytes, unseal, unsealBytes } from '../workflow/stored.ts'
import { asideFormat, blobFormat, entryFormat, incidentFormat } from './formats.ts'
import type { StoreLimits } from './limits.ts'
import { refuseTooLarge, usualLimits } from './limits.ts'
import { disconnect, inOurWords } from './redis-client.ts'
import { commit } from './redis-commit.ts'
import { asked, attend, handedOver, headOf, put } from './redis-inbox.ts'
import { deliver, turn, wanted } from './redis-messages.ts'
import { eraseSalt, salt } from './redis-salts.ts'
import { run, script } from './redis-script.ts'

const incidentsScript = script(`
local list = p .. a.list
local found = {}
for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', list, '+inf', '-inf', 'LIMIT', 0, a.most)) do
  local value = redis.call('HGET', p .. 'incident:' .. id, 'value')
  if value then found[#found + 1] = value else redis.call('ZREM', list, id) end
end
return found
`)

/**
 * @param redis a connection of its own, e.g. from `connectRedis`; closed with the store
 * @param prefix of every key, e.g. "headwater"; other programs may use the same Redis under other prefixes
 */
export function redisStore(redis: Redis, prefix: string, limits: StoreLimits = usualLimits): Store {
  const p = `${prefix}:`
  const plain = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw inOurWords(error)
    })
  return {
    put: (input) => put(redis, p, limits, input),
    attend: (pipeline, most) => attend(redis, p, pipeline, most),
    async aside(most) {
      const texts = most < 1 ? [] : await plain(redis.lrange(`${p}aside`, 0, most - 1))
      return texts.map((text) => unseal(asideFormat, text))
    },
    async incident(id) {
      const [version, value] = await plain(redis.hmget(`${p}incident:${id}`, 'version', 'value'))
      return typeof value === 'string' ? { value: unseal(incidentFormat, value), version: Number(version) } : null
    },
    async incidents({ state, most }) {
      const texts = await run(redis, p, incidentsScript, { list: state === 'open' ? 'open' : 'incidents', most })
      return (texts as readonly string[]).map((text) => unseal(incidentFormat, text))
    },
    commit: (change) => commit(redis, p, limits, change),
    async keep(bytes) {
      refuseTooLarge(bytes.length, limits.mostBlobBytes)
      const key = createHash('sha256').update(bytes).digest('hex')
      await plain(redis.set(`${p}blob:${key}`, Buffer.from(sealBytes(blobFormat, bytes)), 'PX', limits.keepMs))
      return key
    },
    async bytes(key) {
      const kept = await plain(redis.getBuffer(`${p}blob:${key}`))
      return kept === null ? null : unsealBytes(blobFormat, new Uint8Array(kept))
    },
    async ledger(from, most) {
      const entries = await plain(redis.xrange(`${p}ledger`, `${from}-0`, '+', 'COUNT', most))
      return entries.map(([, fields]) => unseal(entryFormat, fields[1]!))
    },
    async head() {
      const [number, digest] = await plain(redis.hmget(`${p}head`, 'number', 'digest'))
      return headOf(number ?? null, digest ?? null)
    },
    wanted: (slot) => wanted(redis, p, slot),
    deliver: (before, after) => deliver(redis, p, limits, before, after),
    turn: (channel, nowMs, everyMs) => turn(redis, p, channel, nowMs, everyMs),
    salt: (person, candidate) => salt(redis, p, person, candidate),
    eraseSalt: (person) => eraseSalt(redis, p, person),
    asked: (nowMs, most) => asked(redis, p, limits, nowMs, most),
    async handedOver(keys) {
      await handedOver(redis, p, keys)
    },
    close: () => disconnect(redis),
  }
}
