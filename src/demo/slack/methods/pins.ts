/** pins.add. */
import { textOf } from '../json.ts'
import { findMessage, standingMessages } from '../workspace/workspace.ts'
import type { Method } from './method.ts'
import { done, isMember, knownChannel, refuse } from './method.ts'

const MOST_PINS = 100

export const pinsAdd: Method = {
  name: 'pins.add',
  pace: 2,
  token: 'bot',
  scopes: ['pins:write'],
  required: { channel: 'text' },
  optional: { timestamp: 'text' },
  run: (args, stage) => {
    const channel = knownChannel(stage, args.channel)
    if (channel === null) return refuse('channel_not_found')
    if (!isMember(stage, channel)) return refuse('not_in_channel')
    if (args.timestamp === undefined) return refuse('no_item_specified')
    if (!/^\d+\.\d+$/.test(textOf(args.timestamp))) return refuse('bad_timestamp')
    const message = findMessage(stage.workspace, channel.id, textOf(args.timestamp))
    if (message === null) return refuse('message_not_found')
    if (message.pinned) return refuse('already_pinned')
    if (standingMessages(stage.workspace, channel.id).filter((one) => one.pinned).length >= MOST_PINS) return refuse('too_many_pins')
    message.pinned = true
    stage.news.tell()
    return done()
  },
}
