/** bookmarks.add, .edit, .list, .remove. */
import type { Backstage } from '../backstage.ts'
import type { Fields } from '../json.ts'
import { textOf } from '../json.ts'
import type { Bookmark, Channel } from '../workspace/channels.ts'
import type { Answer, Method } from './method.ts'
import { done, isMember, knownChannel, refuse } from './method.ts'

const MOST_BOOKMARKS = 100

function show(stage: Backstage, channel: Channel, bookmark: Bookmark): Fields {
  return {
    id: bookmark.id,
    channel_id: channel.id,
    title: bookmark.title,
    link: bookmark.link,
    emoji: bookmark.emoji,
    icon_url: '',
    entity_id: null,
    type: 'link',
    date_created: Math.floor(bookmark.createdMs / 1000),
    date_updated: 0,
    rank: 'n',
    last_updated_by_user_id: stage.settings.app.botUserId,
    last_updated_by_team_id: stage.workspace.team.id,
    shortcut_id: null,
    app_id: stage.settings.app.id,
  }
}

function place(args: Fields, stage: Backstage): Channel | Answer {
  const channel = knownChannel(stage, args.channel_id)
  if (channel === null) return refuse('channel_not_found')
  return isMember(stage, channel) ? channel : refuse('access_denied')
}

function goodLink(link: unknown): boolean {
  return /^https?:\/\//.test(textOf(link))
}

export const bookmarksAdd: Method = {
  name: 'bookmarks.add',
  pace: 2,
  token: 'bot',
  scopes: ['bookmarks:write'],
  required: { channel_id: 'text', title: 'text', type: 'text' },
  optional: { link: 'text', emoji: 'text' },
  run: (args, stage) => {
    const channel = place(args, stage)
    if ('ok' in channel) return channel
    if (args.type !== 'link') return refuse('invalid_bookmark_type')
    if (!goodLink(args.link)) return refuse('invalid_link')
    if (channel.bookmarks.length >= MOST_BOOKMARKS) return refuse('too_many_bookmarks')
    const bookmark: Bookmark = {
      id: stage.chance.id('Bk'),
      title: textOf(args.title),
      link: textOf(args.link),
      emoji: textOf(args.emoji),
      createdMs: stage.clock.now(),
    }
    channel.bookmarks.push(bookmark)
    stage.news.tell()
    return done({ bookmark: show(stage, channel, bookmark) })
  },
}

export const bookmarksEdit: Method = {
  name: 'bookmarks.edit',
  pace: 2,
  token: 'bot',
  scopes: ['bookmarks:write'],
  required: { channel_id: 'text', bookmark_id: 'text' },
  optional: { title: 'text', link: 'text', emoji: 'text' },
  run: (args, stage) => {
    const channel = place(args, stage)
    if ('ok' in channel) return channel
    const bookmark = channel.bookmarks.find((one) => one.id === args.bookmark_id)
    if (bookmark === undefined) return refuse('not_found')
    if (args.link !== undefined && !goodLink(args.link)) return refuse('invalid_link')
    bookmark.title = textOf(args.title) || bookmark.title
    bookmark.link = textOf(args.link) || bookmark.link
    bookmark.emoji = textOf(args.emoji) || bookmark.emoji
    stage.news.tell()
    return done({ bookmark: show(stage, channel, bookmark) })
  },
}

export const bookmarksList: Method = {
  name: 'bookmarks.list',
  pace: 3,
  token: 'bot',
  scopes: ['bookmarks:read'],
  required: { channel_id: 'text' },
  optional: {},
  run: (args, stage) => {
    const channel = place(args, stage)
    return 'ok' in channel ? channel : done({ bookmarks: channel.bookmarks.map((one) => show(stage, channel, one)) })
  },
}

export const bookmarksRemove: Method = {
  name: 'bookmarks.remove',
  pace: 2,
  token: 'bot',
  scopes: ['bookmarks:write'],
  required: { channel_id: 'text', bookmark_id: 'text' },
  optional: {},
  run: (args, stage) => {
    const channel = place(args, stage)
    if ('ok' in channel) return channel
    const at = channel.bookmarks.findIndex((one) => one.id === args.bookmark_id)
    if (at < 0) return refuse('not_found')
    channel.bookmarks.splice(at, 1)
    stage.news.tell()
    return done()
  },
}
