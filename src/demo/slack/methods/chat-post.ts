/** chat.postMessage, chat.postEphemeral. */

import { isEmpty, readContent } from '../api/content.ts'
import type { Backstage } from '../backstage.ts'
import { limits } from '../blocks/limits.ts'
import type { Fields } from '../json.ts'
import { textOf } from '../json.ts'
import type { Content } from '../posting.ts'
import { putMessage, showMessage } from '../posting.ts'
import type { Channel } from '../workspace/channels.ts'
import { findRoot } from '../workspace/workspace.ts'
import { openDirect } from './conversations.ts'
import type { Answer, Method } from './method.ts'
import { done, isMember, knownChannel, refuse } from './method.ts'

/** An id, "#name", "name", or a person (then it is their direct channel). */
function addressed(stage: Backstage, to: string): Channel | null {
  if (stage.workspace.users.has(to)) return openDirect(stage, to)
  const name = to.replace(/^#/, '')
  const byName = [...stage.workspace.channels.values()].find((one) => one.name === name)
  return knownChannel(stage, byName?.id ?? to)
}

/** @returns root of the thread to post into; null = top level; a text = Slack's error */
function threadOf(stage: Backstage, channel: Channel, sent: unknown): string | null | { readonly error: string } {
  if (sent === undefined || sent === '') return null
  return findRoot(stage.workspace, channel.id, textOf(sent))?.ts ?? { error: 'thread_not_found' }
}

function complete(content: { readonly [part in keyof Content]: Content[part] | null }): Content {
  return { text: content.text ?? '', blocks: content.blocks ?? [], attachments: content.attachments ?? [], metadata: content.metadata }
}

function post(args: Fields, stage: Backstage): Answer {
  const channel = addressed(stage, textOf(args.channel))
  if (channel === null) return refuse('channel_not_found')
  if (channel.archived) return refuse('is_archived')
  const open = channel.kind === 'public' && stage.settings.app.scopes.includes('chat:write.public')
  if (!isMember(stage, channel) && !open) return refuse('not_in_channel')
  const content = readContent(args, stage, { mostText: limits.postText, cut: true })
  if ('refusal' in content) return content.refusal
  if (isEmpty(content)) return refuse('no_text')
  const thread = threadOf(stage, channel, args.thread_ts)
  if (typeof thread === 'object' && thread !== null) return refuse(thread.error)
  const broadcast = thread !== null && args.reply_broadcast === true
  const message = putMessage(stage, { channel: channel.id, threadTs: thread, broadcast, author: { kind: 'app' } }, complete(content))
  return done({ channel: channel.id, ts: message.ts, message: showMessage(stage, message, true) })
}

const content = { text: 'text', blocks: 'json', attachments: 'json', markdown_text: 'text', metadata: 'json', thread_ts: 'text' } as const

export const chatPostMessage: Method = {
  name: 'chat.postMessage',
  pace: 'post',
  token: 'bot',
  scopes: ['chat:write'],
  required: { channel: 'text' },
  optional: { ...content, reply_broadcast: 'flag' },
  run: post,
}

export const chatPostEphemeral: Method = {
  name: 'chat.postEphemeral',
  pace: 4,
  token: 'bot',
  scopes: ['chat:write'],
  required: { channel: 'text', user: 'text' },
  optional: content,
  run: (args, stage) => {
    const channel = knownChannel(stage, args.channel)
    if (channel === null) return refuse('channel_not_found')
    if (channel.archived) return refuse('is_archived')
    if (!isMember(stage, channel)) return refuse('not_in_channel')
    const user = textOf(args.user)
    if (!channel.members.has(user)) return refuse('user_not_in_channel')
    const read = readContent(args, stage, { mostText: limits.updateText, cut: false })
    if ('refusal' in read) return read.refusal
    if (isEmpty(read)) return refuse('no_text')
    const thread = threadOf(stage, channel, args.thread_ts)
    const threadTs = typeof thread === 'string' ? thread : null
    const message = putMessage(stage, { channel: channel.id, threadTs, author: { kind: 'app' }, onlyFor: user }, complete(read))
    return done({ message_ts: message.ts })
  },
}
