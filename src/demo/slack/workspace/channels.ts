/** Channels: who is in them, and what the app may know of them. */
import type { Fields } from '../json.ts'

export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'im'
  /** Shared with another workspace (Slack Connect). */
  readonly external: boolean
  readonly members: Set<string>
  archived: boolean
  readonly topic: string
  readonly createdMs: number
  readonly bookmarks: Bookmark[]
}

export interface Bookmark {
  readonly id: string
  title: string
  link: string
  emoji: string
  readonly createdMs: number
}

/** Slack hides private channels from whoever is not in them: they do not exist. */
export function visibleTo(channel: Channel, user: string): boolean {
  return channel.kind === 'public' || channel.members.has(user)
}

/** Scopes are granted by kind of channel: "channels:history", "groups:history", "im:history". */
export function scopeFor(channel: Channel, what: 'history' | 'read' | 'write'): string {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind]
  return `${family}:${what}`
}

/** As a payload names it: a private channel's name is not told. */
export function nameInPayload(channel: Channel): string {
  return { public: channel.name, private: 'privategroup', im: 'directmessage' }[channel.kind]
}

export function channelJson(channel: Channel, me: string, team: string): Fields {
  const created = Math.floor(channel.createdMs / 1000)
  if (channel.kind === 'im') {
    const user = [...channel.members].find((member) => member !== me) ?? me
    return { id: channel.id, created, is_im: true, is_archived: channel.archived, is_org_shared: false, user, context_team_id: team }
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    created,
    is_archived: channel.archived,
    is_general: channel.name === 'general',
    unlinked: 0,
    is_shared: channel.external,
    is_ext_shared: channel.external,
    is_org_shared: false,
    is_pending_ext_shared: false,
    is_member: channel.members.has(me),
    context_team_id: team,
    topic: { value: channel.topic, creator: '', last_set: created },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
  }
}
