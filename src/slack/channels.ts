/** Whether the app is in a channel, and its way in where the channel is open to everybody. */
import type { WebClient } from '@slack/web-api'
import { failureOf } from './outcome.ts'

/** 'unknown' = Slack does not say now. */
export type Entered = 'in' | 'out' | 'unknown'

export interface Channels {
  /** Joins a public channel if it has to. */
  readonly enter: (channel: string) => Promise<Entered>
  /** Whether it was in there lately, as far as is known without asking Slack. */
  readonly wasIn: (channel: string) => boolean
}

/** Somebody may take the app out of a channel at any time. */
const keptMs = 60_000
/** Where nothing hangs on it but whether an answer waits for a question to Slack. */
const latelyMs = 24 * 3_600_000

export function createChannels(web: WebClient, nowMs: () => number): Channels {
  /** When it was last known to be in there, epoch ms. */
  const inside = new Map<string, number>()
  const wasIn = (channel: string, withinMs: number): boolean => nowMs() - (inside.get(channel) ?? Number.NEGATIVE_INFINITY) < withinMs

  async function enter(channel: string): Promise<Entered> {
    if (wasIn(channel, keptMs)) return 'in'
    const entered = await join(channel)
    if (entered === 'in') inside.set(channel, nowMs())
    if (entered === 'out') inside.delete(channel)
    return entered
  }

  async function join(channel: string): Promise<Entered> {
    try {
      const { channel: info } = await web.conversations.info({ channel })
      if (info?.is_member === true || info?.is_im === true) return 'in'
      if (info?.is_private === true || info?.is_archived === true) return 'out'
      await web.conversations.join({ channel })
      return 'in'
    } catch (error) {
      const failure = failureOf(error)
      return failure.kind === 'refused' && definite.has(failure.code) ? 'out' : 'unknown'
    }
  }

  return { enter, wasIn: (channel) => wasIn(channel, latelyMs) }
}

/** A private channel that we are not in does not exist for us; joining may not be allowed to us. */
const definite = new Set([
  'channel_not_found',
  'missing_scope',
  'method_not_supported_for_channel_type',
  'is_archived',
  'restricted_action',
  'not_allowed_token_type',
])
