/** What a person sees of the workspace now: channels, the messages of one, a thread, and their modal. */
import type { Backstage } from '../backstage.ts'
import type { Channel } from '../workspace/channels.ts'
import { visibleTo } from '../workspace/channels.ts'
import type { Message } from '../workspace/messages.ts'
import { topView } from '../workspace/views.ts'
import { repliesTo } from '../workspace/workspace.ts'
import type { DemoBar } from './demo-bar.ts'
import type { Choices } from './elements.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'
import { messageHtml } from './message.ts'
import { modalHtml } from './modal.ts'
import { readerOf } from './reader.ts'

export interface Look {
  readonly user: string
  readonly channel: string
  readonly thread: string
  readonly zone: string
}

/** All as HTML; messages one by one, so that the page exchanges only those that changed. */
export interface Sights {
  readonly channel: string
  readonly title: string
  readonly topic: string
  readonly channels: string
  readonly bar: string
  /** The demo's time; null = there is no demo. */
  readonly time: ReturnType<DemoBar['time']>
  readonly bookmarks: string
  readonly messages: readonly { readonly ts: string; readonly html: string }[]
  readonly thread: readonly { readonly ts: string; readonly html: string }[] | null
  readonly modal: string | null
  /** Whether the person can write here. */
  readonly member: boolean
}

export function sights(stage: Backstage, bar: DemoBar, look: Look): Sights {
  const { workspace } = stage
  const reader = readerOf(stage, look.user, look.zone)
  const mine = [...workspace.channels.values()].filter((one) => one.kind !== 'im' && visibleTo(one, look.user))
  const channel = mine.find((one) => one.id === look.channel) ?? mine[0]!
  const choices = choicesOf(stage)
  const draw =
    (inThread: boolean) =>
    (message: Message): { ts: string; html: string } => ({
      ts: message.ts,
      html: messageHtml(stage, message, { reader, choices, inThread }).markup,
    })
  const seen = workspace.messages.filter((one) => one.channel === channel.id && (one.onlyFor === null || one.onlyFor === look.user))
  const top = seen.filter(
    (one) => (one.threadTs === null || one.broadcast) && (one.deletedAtMs === null || repliesTo(workspace, one).length > 0),
  )
  const root = seen.find((one) => one.ts === look.thread)
  const replies = seen.filter((one) => one.threadTs === look.thread && one.deletedAtMs === null)
  const view = topView(workspace.stacks, look.user)
  return {
    channel: channel.id,
    title: `${channel.kind === 'private' ? '🔒' : '#'} ${channel.name}`,
    topic: `${channel.topic}${channel.archived ? ' (archived)' : ''}`,
    channels: mine.map((one) => channelLink(one, one.id === channel.id).markup).join(''),
    bar: bar.html().markup,
    time: bar.time(),
    bookmarks: channel.bookmarks
      .map((one) => html`<a href="${one.link}" rel="noopener noreferrer" target="_blank">🔖 ${one.title}</a>`.markup)
      .join(''),
    messages: top.map(draw(false)),
    thread: root === undefined ? null : [root, ...replies].map(draw(true)),
    modal: view === null ? null : modalHtml(view, stage.settings.app.name, reader, choices).markup,
    member: channel.members.has(look.user) && !channel.archived,
  }
}

function channelLink(channel: Channel, current: boolean): Markup {
  const sign = channel.kind === 'private' ? '🔒' : '#'
  return html`<button type="button" data-channel="${channel.id}"${current ? html` aria-current="true"` : nothing}>${sign} ${channel.name}${channel.external ? html` <small>shared</small>` : nothing}</button>`
}

function choicesOf({ workspace }: Backstage): Choices {
  const users = [...workspace.users.values()].filter((one) => !one.bot)
  const channels = [...workspace.channels.values()].filter((one) => one.kind === 'public')
  return { users: users.map((one) => [one.id, one.realName]), channels: channels.map((one) => [one.id, `#${one.name}`]) }
}
