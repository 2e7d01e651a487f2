/**
 * A change of state in Redis, all or nothing. First everything the decision rests on is compared, then everything is written.
 *
 *   incident:<id>       hash: version, state, value; current:<pipeline> names the newest, incidents and open list them
 *   message:<slot>      hash: edition, wanted, delivery
 *   ledger, head        stream of entries with their number as id; number and digest of the newest
 *   aside               list of inputs that could not be dealt with, newest first
 *
 * The ledger is written first: its stream alone can refuse (a number that is not higher), and then nothing has been written yet.
 */
import type { Redis } from 'ioredis'
import type { Change } from '../workflow/incident-ports.ts'
import { sealChange } from './change.ts'
import type { StoreLimits } from './limits.ts'
import { run, script } from './redis-script.ts'

const commitScript = script(`
for _, mark in ipairs(a.inputs) do
  if tonumber(redis.call('HGET', p .. 'input:' .. mark.n, 'dealt') or -1) ~= mark.dealt then return 'conflict' end
end
local incident = a.incident
if incident then
  local key = p .. 'incident:' .. incident.id
  if tonumber(redis.call('HGET', key, 'version') or 0) ~= incident.version then return 'conflict' end
  local other = redis.call('GET', p .. 'current:' .. incident.pipeline)
  if incident.version == 0 and other and redis.call('HGET', p .. 'incident:' .. other, 'state') == 'open' then return 'conflict' end
end
if a.ledger then
  local head = redis.call('HMGET', p .. 'head', 'number', 'digest')
  if tonumber(head[1] or 0) ~= a.ledger.after or (head[2] or string.rep('0', 64)) ~= a.ledger.afterDigest then return 'conflict' end
end

if a.ledger then
  for _, entry in ipairs(a.ledger.entries) do
    redis.call('XADD', p .. 'ledger', entry.number .. '-0', 'entry', entry.value)
  end
  redis.call('HSET', p .. 'head', 'number', a.ledger.number, 'digest', a.ledger.digest)
end
for _, mark in ipairs(a.inputs) do
  local key = p .. 'input:' .. mark.n
  local input = redis.call('HMGET', key, 'pipeline', 'news', 'print')
  local pipeline = input[1]
  if tonumber(input[2]) > mark.deliveries then
    redis.call('HSET', key, 'dealt', mark.deliveries)
    attend(pipeline, 0)
  else
    redis.call('DEL', key)
    redis.call('ZREM', p .. 'inbox:' .. pipeline, mark.n)
    if input[3] and redis.call('HGET', p .. 'newest:' .. pipeline, input[3]) == mark.n then
      redis.call('HDEL', p .. 'newest:' .. pipeline, input[3])
    end
    if redis.call('EXISTS', p .. 'inbox:' .. pipeline) == 0 then redis.call('ZREM', p .. 'waiting', pipeline) end
  end
end
for _, one in ipairs(a.aside) do
  redis.call('LPUSH', p .. 'aside', one)
  redis.call('LTRIM', p .. 'aside', 0, a.mostAside - 1)
  redis.call('PEXPIRE', p .. 'aside', a.keepMs)
end
if incident then
  local key = p .. 'incident:' .. incident.id
  local turn = redis.call('INCR', p .. 'count')
  redis.call('HSET', key, 'version', incident.version + 1, 'state', incident.state, 'value', incident.value)
  redis.call('PEXPIRE', key, a.keepMs)
  for _, blob in ipairs(incident.keeps) do redis.call('PEXPIRE', p .. 'blob:' .. blob, a.keepMs) end
  if incident.version == 0 then
    redis.call('SET', p .. 'current:' .. incident.pipeline, incident.id, 'PX', a.keepMs)
  else
    redis.call('PEXPIRE', p .. 'current:' .. incident.pipeline, a.keepMs)
  end
  redis.call('ZADD', p .. 'incidents', turn, incident.id)
  redis.call('ZREMRANGEBYRANK', p .. 'incidents', 0, -a.mostIncidents - 1)
  if incident.state == 'open' then redis.call('ZADD', p .. 'open', turn, incident.id)
  else redis.call('ZREM', p .. 'open', incident.id) end
end
for _, message in ipairs(a.messages) do
  local key = p .. 'message:' .. message.slot
  if tonumber(redis.call('HGET', key, 'edition') or 0) < message.edition then
    redis.call('HSET', key, 'edition', message.edition, 'wanted', message.wanted)
    redis.call('HSETNX', key, 'delivery', message.planned)
    redis.call('PEXPIRE', key, a.keepMs)
  end
end
for _, job in ipairs(a.jobs) do ask(job.key, job.value) end
return 'done'
`)

/** @throws HeadwaterError store_unavailable, store_mistaken, value_too_large */
export async function commit(redis: Redis, prefix: string, limits: StoreLimits, change: Change): Promise<'done' | 'conflict'> {
  const { keepMs, mostIncidents, mostAside, mostValueBytes } = limits
  const args = { keepMs, mostIncidents, mostAside, ...sealChange(change, mostValueBytes) }
  return (await run(redis, prefix, commitScript, args)) as 'done' | 'conflict'
}
