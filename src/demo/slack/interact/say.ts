/** A person writes into a channel or thread; the app hears of it where it is mentioned or subscribed. */

import { escapeStray } from '../api/content.ts'
import type { Backstage } from '../backstage.ts'
import { putMessage } from '../posting.ts'
import type { Message } from '../workspace/messages.ts'
import type { User } from '../workspace/people.ts'

export interface Said {
  readonly user: string
  readonly channel: string
  readonly text: string
  readonly threadTs?: string | null
}

/** "@headwater" becomes the mention that Slack makes of it. @returns null = the person is not in the channel */
export function say(stage: Backstage, said: Said): Message | null {
  const channel = stage.workspace.channels.get(said.channel)
  if (channel === undefined || !channel.members.has(said.user) || channel.archived) return null
  const { app } = stage.settings
  const text = escapeStray(mentions(stage, said.text))
  const author = { kind: 'user', id: said.user } as const
  const message = putMessage(
    stage,
    { channel: channel.id, threadTs: said.threadTs ?? null, author },
    { text, blocks: [], attachments: [], metadata: null },
  )
  if (!channel.members.has(app.botUserId)) return message
  const event = {
    user: said.user,
    text,
    ts: message.ts,
    channel: channel.id,
    event_ts: message.ts,
    team: stage.workspace.team.id,
    client_msg_id: stage.chance.id('', 16).toLowerCase(),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
  }
  stage.emit({ type: 'message', channel_type: { public: 'channel', private: 'group', im: 'im' }[channel.kind], ...event })
  if (text.includes(`<@${app.botUserId}>`)) stage.emit({ type: 'app_mention', ...event })
  return message
}

function mentions(stage: Backstage, text: string): string {
  return text.replaceAll(/@([a-z0-9_.-]+)/gi, (whole, name: string) => {
    const user = userNamed(stage, name)
    return user === undefined ? whole : `<@${user.id}>`
  })
}

/** People and channels of a command's text as ids with their names. */
export function escapedCommand(stage: Backstage, text: string): string {
  return text
    .replaceAll(/@([a-z0-9_.-]+)/gi, (whole, name: string) => {
      const user = userNamed(stage, name)
      return user === undefined ? whole : `<@${user.id}|${user.name}>`
    })
    .replaceAll(/#([a-z0-9_-]+)/gi, (whole, name: string) => {
      const channel = [...stage.workspace.channels.values()].find((one) => one.name === name.toLowerCase())
      return channel === undefined ? whole : `<#${channel.id}|${channel.name}>`
    })
}

function userNamed(stage: Backstage, name: string): User | undefined {
  return [...stage.workspace.users.values()].find((one) => one.name === name.toLowerCase())
}
