/** The Web API's door: who calls, how often, with what, and what goes wrong on the way. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Backstage } from '../backstage.ts'
import type { Fault } from '../faults/fault.ts'
import type { Fields } from '../json.ts'
import { textOf } from '../json.ts'
import { methods } from '../methods/index.ts'
import type { Answer, Method } from '../methods/method.ts'
import { lacksScope, refuse } from '../methods/method.ts'
import { readArguments, sentArguments } from './arguments.ts'
import type { RateLimit } from './rate-limit.ts'
import { rateLimit } from './rate-limit.ts'
import type { Wire } from './spoil.ts'
import { spoil } from './spoil.ts'

export function webApi(stage: Backstage): Hono<Wire> {
  const pace = rateLimit()
  const app = new Hono<Wire>()
  app.all('/api/:method', async (c) => {
    const name = c.req.param('method')
    const method = methods.find((one) => one.name === name)
    if (method === undefined) return answered(c, stage, null, refuse('unknown_method', { req_method: name }))
    const sent = await sentArguments(c.req.raw)
    const read = readArguments(method, sent)
    const about = 'args' in read ? read.args : sent
    const fault = stage.faults.strike(name, about)
    const work = (): Promise<Answer | number> => decide(stage, pace, method, c.req.header('authorization'), sent, read)
    return goWrong(c, stage, method, fault, about, work)
  })
  return app
}

/** @returns the answer, or the seconds to wait */
async function decide(
  stage: Backstage,
  pace: RateLimit,
  method: Method,
  authorization: string | undefined,
  sent: Fields,
  read: ReturnType<typeof readArguments>,
): Promise<Answer | number> {
  const refusal = tokenRefusal(stage, method, authorization?.replace(/^Bearer /i, '') ?? textOf(sent.token))
  if (refusal !== null) return refuse(refusal)
  if (stage.settings.rateLimits) {
    const slowed = stage.settings.distributed && ['conversations.history', 'conversations.replies'].includes(method.name)
    const wait = pace.take(method.name, slowed ? 1 : method.pace, textOf(sent.channel), stage.clock.now())
    if (wait > 0) return wait
  }
  const lacks = lacksScope(stage, ...method.scopes)
  if (lacks !== null) return lacks
  return 'refusal' in read ? read.refusal : await method.run(read.args, stage)
}

function tokenRefusal(stage: Backstage, method: Method, token: string): string | null {
  if (method.token === 'none') return null
  if (token === '') return 'not_authed'
  const { botToken, appToken } = stage.settings.app
  if (token !== botToken && token !== appToken) return 'invalid_auth'
  return token === (method.token === 'bot' ? botToken : appToken) ? null : 'not_allowed_token_type'
}

/** Does the work and answers, with the fault that struck this call in between. */
async function goWrong(
  c: Context<Wire>,
  stage: Backstage,
  method: Method,
  fault: Fault | null,
  args: Fields,
  work: () => Promise<Answer | number>,
): Promise<Response> {
  const log = (error: string): void => stage.calls.add({ method: method.name, args, atMs: stage.clock.now(), error, fault })
  if (fault?.kind === 'rate_limit') {
    log('ratelimited')
    return slowDown(c, fault.seconds)
  }
  if (fault?.kind === 'refuse') {
    log(fault.error)
    return answered(c, stage, method, refuse(fault.error, fault.with))
  }
  const before = await spoil(c, stage, fault, 'nothing')
  if (before !== null) {
    log('lost')
    return before
  }
  if (fault?.kind === 'twice') await work()
  const answer = await work()
  log(typeof answer === 'number' ? 'ratelimited' : textOf(answer.error))
  const after = await spoil(c, stage, fault, 'work')
  if (after !== null) return after
  return typeof answer === 'number' ? slowDown(c, answer) : answered(c, stage, method, answer)
}

function slowDown(c: Context<Wire>, seconds: number): Response {
  return c.json(refuse('ratelimited'), 429, { 'retry-after': String(seconds) })
}

/** Slack names the token's scopes, and those the method wants, in headers. */
function answered(c: Context<Wire>, stage: Backstage, method: Method | null, answer: Answer): Response {
  const scopes = { 'x-oauth-scopes': stage.settings.app.scopes.join(','), 'x-accepted-oauth-scopes': method?.scopes.join(',') ?? '' }
  return c.json(answer, 200, method?.token === 'bot' ? scopes : {})
}
