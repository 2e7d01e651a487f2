/**
 * Lua scripts: what must happen as a whole is one script, so one command, and Redis runs one command at a time. Values pass through
 * as text and are never decoded in Lua, whose numbers and empty lists are not those of JSON.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { jobFormat } from '../workflow/job-format.ts'
import { inOurWords } from './redis-client.ts'

export interface Script {
  readonly lua: string
  readonly sha: string
}

/** What an answer of Redis consists of. */
export type Answer = string | number | null | readonly Answer[]

/**
 * `p` is the prefix of every key and `a` what the caller passes, as JSON: strings, and numbers that are compared.
 * `ask` and `attend` write down a job for the pump.
 */
const prelude = `
local p = KEYS[1]
local a = cjson.decode(ARGV[1])

local function ask(key, job)
  if redis.call('HSETNX', p .. 'jobs', key, job) == 1 then
    redis.call('ZADD', p .. 'asked', redis.call('INCR', p .. 'count'), key)
  end
end

local function attend(pipeline, dueAtMs)
  local key = 'attend/' .. pipeline .. '/' .. redis.call('INCR', p .. 'count')
  ask(key, '{"v":${jobFormat.version},"value":{"dueAtMs":' .. string.format('%.0f', dueAtMs) .. ',"key":' .. cjson.encode(key) ..
    ',"kind":"attend","of":' .. cjson.encode(pipeline) .. ',"with":{}}}')
end
`

/** @param body Lua after the prelude above */
export function script(body: string): Script {
  const lua = `${prelude}${body}`
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/**
 * Runs a script as one command; where Redis does not have it (new, restarted or flushed) it is sent along.
 * @throws HeadwaterError store_unavailable, store_mistaken
 */
export async function run(redis: Redis, prefix: string, { lua, sha }: Script, args: unknown): Promise<Answer> {
  const text = JSON.stringify(args)
  try {
    return (await redis.evalsha(sha, 1, prefix, text)) as Answer
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw inOurWords(error)
  }
  try {
    return (await redis.eval(lua, 1, prefix, text)) as Answer
  } catch (error) {
    throw inOurWords(error)
  }
}
