/** conversations.history, conversations.replies: fresh posts are missing from both for a while. */

import { page } from '../api/page-of.ts'
import type { Backstage } from '../backstage.ts'
import type { Fields } from '../json.ts'
import { textOf } from '../json.ts'
import { showMessage } from '../posting.ts'
import type { Channel } from '../workspace/channels.ts'
import { scopeFor } from '../workspace/channels.ts'
import type { Message } from '../workspace/messages.ts'
import { findRoot, repliesTo, standingMessages } from '../workspace/workspace.ts'
import type { Answer, Method } from './method.ts'
import { done, isMember, knownChannel, lacksScope, refuse } from './method.ts'

const window = { oldest: 'text', latest: 'text', inclusive: 'flag', include_all_metadata: 'flag', limit: 'number', cursor: 'text' } as const

function reader(args: Fields, stage: Backstage): Channel | Answer {
  const channel = knownChannel(stage, args.channel)
  if (channel === null) return refuse('channel_not_found')
  const lacks = lacksScope(stage, scopeFor(channel, 'history'))
  if (lacks !== null) return lacks
  if (!isMember(stage, channel)) return refuse('not_in_channel')
  for (const name of ['oldest', 'latest'] as const) {
    if (args[name] !== undefined && args[name] !== '' && !Number.isFinite(Number(args[name]))) return refuse(`invalid_ts_${name}`)
  }
  return channel
}

/** Compared as numbers, with microseconds kept exact. */
function microseconds(ts: string): bigint {
  const [seconds, rest = ''] = ts.split('.')
  return BigInt(seconds || '0') * 1_000_000n + BigInt(rest.padEnd(6, '0').slice(0, 6) || '0')
}

function inWindow(message: Message, args: Fields): boolean {
  const at = microseconds(message.ts)
  const closed = args.inclusive === true
  const oldest = textOf(args.oldest)
  const latest = textOf(args.latest)
  const afterOldest = oldest === '' || (closed ? at >= microseconds(oldest) : at > microseconds(oldest))
  return afterOldest && (latest === '' || (closed ? at <= microseconds(latest) : at < microseconds(latest)))
}

/** Messages at once for an app that is distributed outside the marketplace. */
const MOST_IF_DISTRIBUTED = 15

function limited(args: Fields, stage: Backstage): Fields {
  if (!stage.settings.distributed) return args
  return { ...args, limit: Math.min(MOST_IF_DISTRIBUTED, Number(args.limit ?? MOST_IF_DISTRIBUTED)) }
}

function arrived(stage: Backstage, message: Message): boolean {
  return message.inHistoryAtMs <= stage.clock.now()
}

/** Newest first; thread replies only where they were broadcast. */
export const conversationsHistory: Method = {
  name: 'conversations.history',
  pace: 3,
  token: 'bot',
  scopes: [],
  required: { channel: 'text' },
  optional: window,
  run: (args, stage) => {
    const channel = reader(args, stage)
    if ('ok' in channel) return channel
    const all = standingMessages(stage.workspace, channel.id).filter((one) => one.threadTs === null || one.broadcast)
    const seen = all.filter((one) => arrived(stage, one) && inWindow(one, args)).reverse()
    const answer = page(seen, limited(args, stage), 100, (messages) => ({
      messages: messages.map((one) => showMessage(stage, one, args.include_all_metadata === true)),
    }))
    return answer.ok ? { has_more: false, pin_count: all.filter((one) => one.pinned).length, ...answer } : answer
  },
}

/** Oldest first, the root before all; `ts` may be that of a reply. */
export const conversationsReplies: Method = {
  name: 'conversations.replies',
  pace: 3,
  token: 'bot',
  scopes: [],
  required: { channel: 'text', ts: 'text' },
  optional: window,
  run: (args, stage) => {
    const channel = reader(args, stage)
    if ('ok' in channel) return channel
    const root = findRoot(stage.workspace, channel.id, textOf(args.ts))
    if (root === null || !arrived(stage, root)) return refuse('thread_not_found')
    const replies = repliesTo(stage.workspace, root).filter((one) => arrived(stage, one) && inWindow(one, args))
    const answer = page([root, ...replies], limited(args, stage), 1_000, (messages) => ({
      messages: messages.map((one) => showMessage(stage, one, args.include_all_metadata === true)),
    }))
    return answer.ok ? done({ has_more: false, ...answer }) : answer
  },
}
