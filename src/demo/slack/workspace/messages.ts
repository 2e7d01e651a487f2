/** Messages, with every version they ever had: a test can see what stood in a channel at any time. */
import type { Fields } from '../json.ts'
import { present } from '../json.ts'
import type { AppSettings } from '../settings.ts'

export type Author =
  | { readonly kind: 'app' }
  | { readonly kind: 'user'; readonly id: string }
  /** Slack itself, e.g. a failed slash command. */
  | { readonly kind: 'slack' }
  | { readonly kind: 'other_app'; readonly name: string; readonly botId: string; readonly userId: string }

export interface Version {
  readonly atMs: number
  readonly text: string
  /** With a block_id in each block and an action_id in each element. */
  readonly blocks: readonly Fields[]
  readonly attachments: readonly Fields[]
  /** null = none; {} = it was taken away. */
  readonly metadata: Fields | null
}

export interface Message {
  readonly channel: string
  readonly ts: string
  /** Root of the thread it stands in; null = top level. */
  readonly threadTs: string | null
  /** Also shown in the channel (reply_broadcast). */
  readonly broadcast: boolean
  readonly author: Author
  /** Only this user sees it; null = everybody. */
  readonly onlyFor: string | null
  /** Oldest first, at least one. */
  readonly versions: Version[]
  readonly files: readonly string[]
  readonly reactions: Map<string, string[]>
  pinned: boolean
  deletedAtMs: number | null
  /** From when on conversations.history and .replies show it. */
  readonly inHistoryAtMs: number
}

export function standing(message: Message): Version {
  return message.versions.at(-1)!
}

export interface MessageContext {
  readonly app: AppSettings
  readonly team: string
  /** Replies in the thread of a root, oldest first. */
  readonly replies: readonly Message[]
  readonly fileJson: (id: string) => Fields
}

/** A message as conversations.history, payloads and chat.postMessage show it. Slack leaves metadata out unless it is asked for. */
export function messageJson(message: Message, context: MessageContext, withMetadata: boolean): Fields {
  if (message.deletedAtMs !== null) {
    const text = 'This message was deleted.'
    return { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', ts: message.ts, text, hidden: true, ...threadJson(message, context) }
  }
  const { text, blocks, attachments, metadata } = standing(message)
  const edited = message.versions.length > 1
  return present({
    type: 'message',
    ...authorJson(message.author, context),
    ts: message.ts,
    text,
    team: context.team,
    blocks: blocks.length > 0 ? blocks : undefined,
    attachments: attachments.length > 0 ? attachments : undefined,
    edited: edited ? { user: authorId(message.author, context.app), ts: `${Math.floor(standing(message).atMs / 1000)}.000000` } : undefined,
    metadata: withMetadata && metadata?.event_type !== undefined ? metadata : undefined,
    files: message.files.length > 0 ? message.files.map(context.fileJson) : undefined,
    pinned_to: message.pinned ? [message.channel] : undefined,
    reactions: message.reactions.size > 0 ? reactionsJson(message) : undefined,
    ...threadJson(message, context),
  })
}

function reactionsJson(message: Message): Fields[] {
  return [...message.reactions].map(([name, users]) => ({ name, users, count: users.length }))
}

/** The user id that stands behind an author. */
export function authorId(author: Author, app: AppSettings): string {
  if (author.kind === 'app') return app.botUserId
  if (author.kind === 'user') return author.id
  return author.kind === 'slack' ? 'USLACKBOT' : author.userId
}

function authorJson(author: Author, context: MessageContext): Fields {
  const user = authorId(author, context.app)
  if (author.kind === 'app') {
    const { id: appId, botId, name } = context.app
    return {
      user,
      bot_id: botId,
      app_id: appId,
      bot_profile: { id: botId, app_id: appId, user_id: user, name, deleted: false, team_id: context.team },
    }
  }
  return author.kind === 'other_app' ? { user, bot_id: author.botId, bot_profile: { id: author.botId, name: author.name } } : { user }
}

function threadJson(message: Message, context: MessageContext): Fields {
  if (message.threadTs !== null) {
    return { thread_ts: message.threadTs, ...(message.broadcast ? { subtype: 'thread_broadcast' } : {}) }
  }
  const { replies } = context
  if (replies.length === 0) return {}
  const users = [...new Set(replies.map((reply) => authorId(reply.author, context.app)))]
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users,
    latest_reply: replies.at(-1)!.ts,
    is_locked: false,
    subscribed: false,
  }
}
