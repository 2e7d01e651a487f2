/** chat.update, chat.delete, chat.getPermalink. */

import { isEmpty, readContent } from '../api/content.ts'
import type { Backstage } from '../backstage.ts'
import { limits } from '../blocks/limits.ts'
import { isFields, textOf } from '../json.ts'
import { changeMessage, removeMessage, showMessage } from '../posting.ts'
import type { Message } from '../workspace/messages.ts'
import { standing } from '../workspace/messages.ts'
import { findMessage } from '../workspace/workspace.ts'
import type { Method } from './method.ts'
import { done, knownChannel, refuse } from './method.ts'

function messageAt(stage: Backstage, channel: unknown, ts: unknown): Message | { readonly error: string } {
  const place = knownChannel(stage, channel)
  if (place === null) return { error: 'channel_not_found' }
  return findMessage(stage.workspace, place.id, textOf(ts)) ?? { error: 'message_not_found' }
}

/** Ephemeral messages cannot be found here. A new text without blocks takes the old blocks away; metadata stays unless it is sent. */
export const chatUpdate: Method = {
  name: 'chat.update',
  pace: 3,
  token: 'bot',
  scopes: ['chat:write'],
  required: { channel: 'text', ts: 'text' },
  optional: { text: 'text', blocks: 'json', attachments: 'json', markdown_text: 'text', metadata: 'json' },
  run: (args, stage) => {
    const message = messageAt(stage, args.channel, args.ts)
    if ('error' in message) return refuse(message.error)
    if (message.author.kind !== 'app') return refuse('cant_update_message')
    if (stage.workspace.channels.get(message.channel)!.archived) return refuse('is_inactive')
    const takesMetadataAway = isFields(args.metadata) && Object.keys(args.metadata).length === 0
    const sent = takesMetadataAway ? { ...args, metadata: undefined } : args
    const content = readContent(sent, stage, { mostText: limits.updateText, cut: false })
    if ('refusal' in content) return content.refusal
    if (isEmpty(content)) return refuse('no_text')
    changeMessage(stage, message, {
      text: content.text ?? '',
      blocks: content.blocks ?? (content.text === null ? null : []),
      attachments: content.attachments ?? [],
      metadata: takesMetadataAway ? {} : content.metadata,
    })
    return done({ channel: message.channel, ts: message.ts, text: standing(message).text, message: showMessage(stage, message, true) })
  },
}

export const chatDelete: Method = {
  name: 'chat.delete',
  pace: 3,
  token: 'bot',
  scopes: ['chat:write'],
  required: { channel: 'text', ts: 'text' },
  optional: {},
  run: (args, stage) => {
    const message = messageAt(stage, args.channel, args.ts)
    if ('error' in message) return refuse(message.error)
    if (message.author.kind !== 'app') return refuse('cant_delete_message')
    removeMessage(stage, message)
    return done({ channel: message.channel, ts: message.ts })
  },
}

export const chatGetPermalink: Method = {
  name: 'chat.getPermalink',
  pace: 'special',
  token: 'bot',
  scopes: [],
  required: { channel: 'text', message_ts: 'text' },
  optional: {},
  run: (args, stage) => {
    const message = messageAt(stage, args.channel, args.message_ts)
    if ('error' in message) return refuse(message.error)
    const thread = message.threadTs === null ? '' : `?thread_ts=${message.threadTs}&cid=${message.channel}`
    const permalink = `${stage.base()}/archives/${message.channel}/p${message.ts.replace('.', '')}${thread}`
    return done({ channel: message.channel, permalink })
  },
}
