/** reactions.add. */
import { textOf } from '../json.ts'
import { findMessage } from '../workspace/workspace.ts'
import type { Method } from './method.ts'
import { done, knownChannel, refuse } from './method.ts'

const MOST_EMOJI = 23

export const reactionsAdd: Method = {
  name: 'reactions.add',
  pace: 3,
  token: 'bot',
  scopes: ['reactions:write'],
  required: { channel: 'text', name: 'text', timestamp: 'text' },
  optional: {},
  run: (args, stage) => {
    const channel = knownChannel(stage, args.channel)
    if (channel === null) return refuse('channel_not_found')
    if (channel.archived) return refuse('is_archived')
    if (!/^\d+\.\d+$/.test(textOf(args.timestamp))) return refuse('bad_timestamp')
    const message = findMessage(stage.workspace, channel.id, textOf(args.timestamp))
    if (message === null) return refuse('message_not_found')
    const name = textOf(args.name)
    if (!/^[a-z0-9_+'-]+$/.test(name)) return refuse('invalid_name')
    const users = message.reactions.get(name) ?? []
    const me = stage.settings.app.botUserId
    if (users.includes(me)) return refuse('already_reacted')
    if (users.length === 0 && message.reactions.size >= MOST_EMOJI) return refuse('too_many_emoji')
    message.reactions.set(name, [...users, me])
    stage.news.tell()
    return done()
  },
}
