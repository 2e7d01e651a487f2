/**
 * Says something to one person alone: through the address that came with what they did, while it is good (five times within half an hour),
 * else into the channel for their eyes only. It cannot be found again, so whether it arrived may stay unknown.
 */
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../incident/trigger.ts'
import type { Message, Text } from '../report/message.ts'
import type { Outcome } from '../workflow/incident-ports.ts'
import { answerContent } from './content.ts'
import { outcomeOf, refused, statusFailure } from './outcome.ts'
import { isOfSlack } from './web-client.ts'

const uses = 5
const livesMs = 30 * 60_000
/** Addresses that are counted at once; the oldest is forgotten, and Slack itself then says when it is used up. */
const mostCounted = 5_000

export interface AloneTo {
  readonly actor: Actor
  readonly channel: string
  /** Address for answers; null = there is none. */
  readonly answerTo: string | null
  /** Root of the thread in which it was asked; null = none. */
  readonly thread?: string | null
}

export interface Answer {
  readonly text: Text
  readonly body: Message
}

export type TellAlone = (to: AloneTo, answer: Answer) => Promise<Outcome<null>>

export interface AlonePorts {
  readonly web: WebClient
  readonly apiUrl: string | undefined
  readonly nowMs: () => number
  readonly timeoutMs: number
}

export function createTellAlone({ web, apiUrl, nowMs, timeoutMs }: AlonePorts): TellAlone {
  const counted = new Map<string, { readonly sinceMs: number; used: number }>()

  function mayUse(address: string): boolean {
    if (!isOfSlack(address, apiUrl)) return false
    const known = counted.get(address)
    if (known !== undefined) return known.used < uses && nowMs() - known.sinceMs < livesMs
    if (counted.size >= mostCounted) counted.delete(counted.keys().next().value!)
    counted.set(address, { sinceMs: nowMs(), used: 0 })
    return true
  }

  async function respond(address: string, content: ReturnType<typeof answerContent>, thread: string | null): Promise<Outcome<null>> {
    const known = counted.get(address)
    if (known !== undefined) known.used++
    const place = thread === null ? {} : { thread_ts: thread }
    const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...place, ...content })
    const status = await outcomeOf(() => postJson(address, body, timeoutMs))
    if (status.kind !== 'done') return status
    if (status.value.status === 200) return { kind: 'done', value: null }
    return status.value.status === 429 ? refused('ratelimited', false, status.value.retryAfterMs) : statusFailure(status.value.status)
  }

  async function show(
    { actor, channel }: AloneTo,
    content: ReturnType<typeof answerContent>,
    thread: string | null,
  ): Promise<Outcome<null>> {
    const place = thread === null ? {} : { thread_ts: thread }
    const outcome = await outcomeOf(() => web.chat.postEphemeral({ channel, user: actor.user, ...place, ...content }))
    return outcome.kind === 'done' ? { kind: 'done', value: null } : outcome
  }

  return async (to, { text, body }) => {
    const content = answerContent(text, body)
    const thread = to.thread ?? null
    const { answerTo } = to
    if (answerTo === null || !mayUse(answerTo)) return await show(to, content, thread)
    const outcome = await respond(answerTo, content, thread)
    // Used up or too old: Slack has shown nothing.
    return outcome.kind === 'refused' && outcome.code.startsWith('http_') ? await show(to, content, thread) : outcome
  }
}

async function postJson(address: string, body: string, timeoutMs: number): Promise<{ status: number; retryAfterMs: number }> {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', headers, body, redirect: 'error', signal })
  await response.arrayBuffer()
  return { status: response.status, retryAfterMs: (Number(response.headers.get('retry-after')) || 1) * 1000 }
}
