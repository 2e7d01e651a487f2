/**
 * Inputs in Redis, from their arrival to the hands of whoever deals with them, and the jobs asked for on the way.
 *
 *   input:<n>          hash: pipeline, key, value, print + status (alerts), deliveries, dealt, news
 *   inbox:<pipeline>   sorted set of <n>, in the order of arrival
 *   newest:<pipeline>  hash: fingerprint of an alert → <n> of its newest waiting input
 *   known:<key>        <n>, for as long as a repetition is to be recognised
 *   told:<pipeline>/<fingerprint>   what an alert was last said to be, and when: "firing:<epoch ms>"
 *   soon:<pipeline>    an attend job that is not due yet will read the inbox, and nobody has read it since that job was asked for
 *   waiting            sorted set of pipelines with a filled inbox, by the time an attend job was last asked for
 *   asked, jobs        keys of jobs in the order they were asked for; key → job
 *
 * `deliveries` counts arrivals, `news` is that count when the newest key came, `dealt` how many arrivals are dealt with. An input
 * whose `news` came after it was read stays in its place when it is dealt with, so that a repetition that comes while somebody
 * decides about the alert is neither lost nor applied twice.
 *
 * An alert that resolves once more has fired in between, also where its key was heard before: an alert may fire, resolve, fire and resolve
 * with one and the same start. So what was heard before is a repetition only while nothing else was said of that alert since.
 *
 * What opens an incident, and whatever a person does, is attended at once. More alerts about an open incident wait for each other: dealt
 * with one by one, a storm of them would keep all workers busy, and spend on counting what Slack lets us edit.
 */
import type { Redis } from 'ioredis'
import type { Input } from '../incident/input.ts'
import type { Attended, Job } from '../workflow/incident-ports.ts'
import { jobFormat } from '../workflow/job-format.ts'
import { seal, unseal } from '../workflow/stored.ts'
import { incidentFormat, inputFormat } from './formats.ts'
import type { StoreLimits } from './limits.ts'
import { fitting, inboxFull } from './limits.ts'
import type { Mark } from './mark.ts'
import { writeMark } from './mark.ts'
import type { Answer } from './redis-script.ts'
import { run, script } from './redis-script.ts'

const putScript = script(`
local told = a.print and p .. 'told:' .. a.pipeline .. '/' .. a.print
local function turned()
  local status, at = string.match(told and redis.call('GET', told) or '', '^(%a+):(%d+)$')
  return status and status ~= a.status and (a.status == 'resolved' or a.atMs - tonumber(at) > a.lateCopyMs)
end
local function tell()
  if told then redis.call('SET', told, a.status .. ':' .. string.format('%.0f', a.atMs), 'PX', a.knownMs) end
end
local seen = redis.call('GET', p .. 'known:' .. a.key)
if seen and not turned() then
  local input = p .. 'input:' .. seen
  if redis.call('EXISTS', input) == 1 then redis.call('HINCRBY', input, 'deliveries', 1) end
  return 'known'
end
if a.print then
  local newest = redis.call('HGET', p .. 'newest:' .. a.pipeline, a.print)
  local input = newest and p .. 'input:' .. newest
  if newest and redis.call('HGET', input, 'status') == a.status then
    local deliveries = redis.call('HINCRBY', input, 'deliveries', 1)
    redis.call('HSET', input, 'key', a.key, 'value', a.value, 'news', deliveries)
    redis.call('SET', p .. 'known:' .. a.key, newest, 'PX', a.knownMs)
    tell()
    return 'stored'
  end
end
if redis.call('ZCARD', p .. 'inbox:' .. a.pipeline) >= a.mostWaiting then return 'full' end
local n = tostring(redis.call('INCR', p .. 'count'))
redis.call('HSET', p .. 'input:' .. n, 'pipeline', a.pipeline, 'key', a.key, 'value', a.value, 'deliveries', 1, 'dealt', 0, 'news', 1)
if a.print then
  redis.call('HSET', p .. 'input:' .. n, 'print', a.print, 'status', a.status)
  redis.call('HSET', p .. 'newest:' .. a.pipeline, a.print, n)
end
redis.call('ZADD', p .. 'inbox:' .. a.pipeline, n, n)
redis.call('SET', p .. 'known:' .. a.key, n, 'PX', a.knownMs)
redis.call('ZADD', p .. 'waiting', a.atMs, a.pipeline)
tell()
local id = redis.call('GET', p .. 'current:' .. a.pipeline)
if not (a.print and id and redis.call('HGET', p .. 'incident:' .. id, 'state') == 'open') then
  attend(a.pipeline, 0)
elseif redis.call('SET', p .. 'soon:' .. a.pipeline, '1', 'NX', 'PX', a.askAgainMs) then
  attend(a.pipeline, a.atMs + a.togetherMs)
end
return 'stored'
`)

/** @throws HeadwaterError inbox_full, value_too_large, store_unavailable, store_mistaken */
export async function put(redis: Redis, prefix: string, limits: StoreLimits, input: Input): Promise<'stored' | 'known'> {
  const { mostWaiting, knownMs, lateCopyMs, mostValueBytes, askAgainMs, togetherMs } = limits
  const { key, pipeline, atMs } = input
  const alert = input.kind === 'alert' ? { print: input.fingerprint, status: input.status } : {}
  const value = fitting(seal(inputFormat, input), mostValueBytes)
  const times = { knownMs, lateCopyMs, askAgainMs, togetherMs }
  const answer = await run(redis, prefix, putScript, { key, pipeline, atMs, value, mostWaiting, ...times, ...alert })
  if (answer === 'full') throw inboxFull(pipeline, mostWaiting)
  return answer as 'stored' | 'known'
}

const attendScript = script(`
redis.call('DEL', p .. 'soon:' .. a.pipeline)
local id = redis.call('GET', p .. 'current:' .. a.pipeline)
local incident = { false, false }
if id then incident = redis.call('HMGET', p .. 'incident:' .. id, 'version', 'value') end
local head = redis.call('HMGET', p .. 'head', 'number', 'digest')
local inputs = {}
for i, n in ipairs(redis.call('ZRANGEBYSCORE', p .. 'inbox:' .. a.pipeline, '-inf', '+inf', 'LIMIT', 0, a.most)) do
  local input = redis.call('HMGET', p .. 'input:' .. n, 'dealt', 'deliveries', 'value')
  inputs[i] = { n, input[1], input[2], input[3] }
end
return { incident[1], incident[2], head[1], head[2], inputs }
`)

/** Incident, inputs and ledger head of one moment. */
export async function attend(redis: Redis, prefix: string, pipeline: string, most: number): Promise<Attended> {
  const [version, value, number, digest, inputs] = (await run(redis, prefix, attendScript, { pipeline, most })) as readonly [
    string | null,
    string | null,
    string | null,
    string | null,
    readonly (readonly [string, string, string, string])[],
  ]
  return {
    pipeline,
    incident: value === null ? null : unseal(incidentFormat, value),
    version: Number(version ?? 0),
    inputs: inputs.map(([n, dealt, deliveries, text]) => {
      const mark: Mark = { n, dealt: Number(dealt), deliveries: Number(deliveries) }
      return { mark: writeMark(mark), input: unseal(inputFormat, text), deliveries: mark.deliveries - mark.dealt }
    }),
    head: headOf(number, digest),
  }
}

/** Before its first entry the ledger has a head as well. */
export function headOf(number: string | null, digest: string | null): Attended['head'] {
  return { number: Number(number ?? 0), digest: digest ?? '0'.repeat(64) }
}

const askedScript = script(`
for _, pipeline in ipairs(redis.call('ZRANGEBYSCORE', p .. 'waiting', '-inf', a.nowMs - a.askAgainMs, 'LIMIT', 0, a.most)) do
  redis.call('ZADD', p .. 'waiting', a.nowMs, pipeline)
  attend(pipeline, 0)
end
local keys = redis.call('ZRANGEBYSCORE', p .. 'asked', '-inf', '+inf', 'LIMIT', 0, a.most)
if #keys == 0 then return {} end
return redis.call('HMGET', p .. 'jobs', unpack(keys))
`)

/** Jobs for the queue; inputs that have waited too long ask for their pipeline once more. */
export async function asked(redis: Redis, prefix: string, limits: StoreLimits, nowMs: number, most: number): Promise<readonly Job[]> {
  const texts = await run(redis, prefix, askedScript, { nowMs, most, askAgainMs: limits.askAgainMs })
  return (texts as readonly string[]).map((text) => unseal(jobFormat, text))
}

const handedOverScript = script(`
for _, key in ipairs(a.keys) do
  redis.call('ZREM', p .. 'asked', key)
  redis.call('HDEL', p .. 'jobs', key)
end
return 'done'
`)

/** These jobs are in the queue: nobody has to ask for them any more. */
export async function handedOver(redis: Redis, prefix: string, keys: readonly string[]): Promise<Answer> {
  return run(redis, prefix, handedOverScript, { keys })
}
