/** Messages in Redis: what should stand in Slack, what stands there, and whose turn it is to send in a channel. */
import type { Redis } from 'ioredis'
import { canonical } from '../incident/canonical.ts'
import type { Delivery, Wanted } from '../workflow/incident-ports.ts'
import { seal, unseal } from '../workflow/stored.ts'
import { deliveryFormat, wantedFormat } from './formats.ts'
import type { StoreLimits } from './limits.ts'
import { fitting } from './limits.ts'
import { inOurWords } from './redis-client.ts'
import { run, script } from './redis-script.ts'

/** What should stand in a slot, and what stands there; null = nothing was ever wanted in it. */
export async function wanted(
  redis: Redis,
  prefix: string,
  slot: string,
): Promise<{ readonly wanted: Wanted; readonly delivery: Delivery } | null> {
  const [want, stands] = await redis.hmget(`${prefix}message:${slot}`, 'wanted', 'delivery').catch((error: unknown) => {
    throw inOurWords(error)
  })
  if (typeof want !== 'string' || typeof stands !== 'string') return null
  return { wanted: unseal(wantedFormat, want), delivery: unseal(deliveryFormat, stands) }
}

const deliverScript = script(`
local key = p .. 'message:' .. a.slot
local stands = redis.call('HGET', key, 'delivery')
if stands ~= a.before then return stands end
redis.call('HSET', key, 'delivery', a.after)
redis.call('PEXPIRE', key, a.keepMs)
return 'done'
`)

/** What stands is compared as text. Where another version wrote it, it is first read as the caller read it. */
export async function deliver(redis: Redis, prefix: string, limits: StoreLimits, before: Delivery, after: Delivery): Promise<boolean> {
  const { keepMs, mostValueBytes } = limits
  const next = { slot: before.slot, keepMs, after: fitting(seal(deliveryFormat, after), mostValueBytes) }
  const stands = await run(redis, prefix, deliverScript, { ...next, before: seal(deliveryFormat, before) })
  if (stands === 'done') return true
  if (typeof stands !== 'string' || canonical(unseal(deliveryFormat, stands)) !== canonical(before)) return false
  return (await run(redis, prefix, deliverScript, { ...next, before: stands })) === 'done'
}

/** A turn lies at most one step ahead of anybody's clock: further ahead, the clock of whoever took it was wrong. */
const turnScript = script(`
local key = p .. 'turn:' .. a.channel
local free = tonumber(redis.call('GET', key) or 0)
if free > a.nowMs and free <= a.nowMs + a.everyMs then return free - a.nowMs end
redis.call('SET', key, a.nowMs + a.everyMs, 'EX', 86400)
if free > a.nowMs then return a.everyMs end
return false
`)

/** @returns null = the turn is taken, else the ms to wait for the next one */
export async function turn(redis: Redis, prefix: string, channel: string, nowMs: number, everyMs: number): Promise<number | null> {
  return (await run(redis, prefix, turnScript, { channel, nowMs, everyMs })) as number | null
}
