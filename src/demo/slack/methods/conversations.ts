/** conversations.info, .list, .members, .join, .open: which channels there are and who is in them. */

import { page } from '../api/page-of.ts'
import type { Backstage } from '../backstage.ts'
import { textOf } from '../json.ts'
import type { Channel } from '../workspace/channels.ts'
import { channelJson, scopeFor, visibleTo } from '../workspace/channels.ts'
import type { Method } from './method.ts'
import { done, isMember, knownChannel, lacksScope, refuse } from './method.ts'

function show(stage: Backstage, channel: Channel): ReturnType<typeof channelJson> {
  return channelJson(channel, stage.settings.app.botUserId, stage.workspace.team.id)
}

export const conversationsInfo: Method = {
  name: 'conversations.info',
  pace: 3,
  token: 'bot',
  scopes: [],
  required: { channel: 'text' },
  optional: { include_num_members: 'flag', include_locale: 'flag' },
  run: (args, stage) => {
    const channel = knownChannel(stage, args.channel)
    if (channel === null) return refuse('channel_not_found')
    const lacks = lacksScope(stage, scopeFor(channel, 'read'))
    if (lacks !== null) return lacks
    const count = args.include_num_members === true ? { num_members: channel.members.size } : {}
    return done({ channel: { ...show(stage, channel), ...count } })
  },
}

const KINDS: Readonly<Record<string, Channel['kind'] | null>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: null,
}

export const conversationsList: Method = {
  name: 'conversations.list',
  pace: 2,
  token: 'bot',
  scopes: [],
  required: {},
  optional: { types: 'text', exclude_archived: 'flag', limit: 'number', cursor: 'text' },
  run: (args, stage) => {
    const types = (textOf(args.types) || 'public_channel').split(',').map((one) => one.trim())
    if (types.some((type) => !Object.hasOwn(KINDS, type))) return refuse('invalid_types')
    const kinds = types.map((type) => KINDS[type])
    const scopes = { public: 'channels:read', private: 'groups:read', im: 'im:read' }
    const lacks = lacksScope(stage, ...kinds.flatMap((kind) => (kind == null ? [] : [scopes[kind]])))
    if (lacks !== null) return lacks
    const channels = [...stage.workspace.channels.values()].filter(
      (one) =>
        kinds.includes(one.kind) && visibleTo(one, stage.settings.app.botUserId) && !(one.archived && args.exclude_archived === true),
    )
    return page(channels, args, 100, (items) => ({ channels: items.map((one) => show(stage, one)) }))
  },
}

export const conversationsMembers: Method = {
  name: 'conversations.members',
  pace: 4,
  token: 'bot',
  scopes: [],
  required: { channel: 'text' },
  optional: { limit: 'number', cursor: 'text' },
  run: (args, stage) => {
    const channel = knownChannel(stage, args.channel)
    if (channel === null) return refuse('channel_not_found')
    return lacksScope(stage, scopeFor(channel, 'read')) ?? page([...channel.members], args, 100, (members) => ({ members }))
  },
}

export const conversationsJoin: Method = {
  name: 'conversations.join',
  pace: 3,
  token: 'bot',
  scopes: ['channels:join'],
  required: { channel: 'text' },
  optional: {},
  run: (args, stage) => {
    const channel = knownChannel(stage, args.channel)
    if (channel === null) return refuse('channel_not_found')
    if (channel.kind !== 'public') return refuse('method_not_supported_for_channel_type')
    if (channel.archived) return refuse('is_archived')
    const already = isMember(stage, channel)
    admit(stage, channel, stage.settings.app.botUserId)
    const warning = already ? { warning: 'already_in_channel', response_metadata: { warnings: ['already_in_channel'] } } : {}
    return done({ channel: show(stage, channel), ...warning })
  },
}

export const conversationsOpen: Method = {
  name: 'conversations.open',
  pace: 3,
  token: 'bot',
  scopes: ['im:write'],
  required: {},
  optional: { users: 'text', channel: 'text', return_im: 'flag' },
  run: (args, stage) => {
    const users = textOf(args.users)
    if (users === '') return refuse('users_list_not_supplied')
    if (!stage.workspace.users.has(users)) return refuse('user_not_found')
    const channel = openDirect(stage, users)
    return done({ channel: args.return_im === true ? show(stage, channel) : { id: channel.id } })
  },
}

/** Adds a member; the app hears of it where it is in the channel (then). */
export function admit(stage: Backstage, channel: Channel, user: string): void {
  if (channel.members.has(user)) return
  channel.members.add(user)
  if (isMember(stage, channel)) {
    stage.emit({
      type: 'member_joined_channel',
      user,
      channel: channel.id,
      channel_type: channel.kind === 'private' ? 'G' : 'C',
      team: stage.workspace.team.id,
    })
  }
  stage.news.tell()
}

/** The direct channel between the app and a person, made when it is first needed. */
export function openDirect(stage: Backstage, user: string): Channel {
  const me = stage.settings.app.botUserId
  const known = [...stage.workspace.channels.values()].find((one) => one.kind === 'im' && one.members.has(user) && one.members.has(me))
  if (known !== undefined) return known
  const id = stage.chance.id('D')
  const channel: Channel = {
    id,
    name: id,
    kind: 'im',
    external: false,
    members: new Set([me, user]),
    archived: false,
    topic: '',
    createdMs: stage.clock.now(),
    bookmarks: [],
  }
  stage.workspace.channels.set(id, channel)
  return channel
}
