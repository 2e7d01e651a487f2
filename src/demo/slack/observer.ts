/** What a test sees and does from outside. No part of Slack: nothing the app can reach. */
import type { LoggedCall } from './api/call-log.ts'
import type { Backstage } from './backstage.ts'
import type { Receipt } from './deliver/parcel.ts'
import type { Delivered, PostOffice } from './deliver/post-office.ts'
import type { Typed } from './interact/command.ts'
import { typeCommand } from './interact/command.ts'
import type { Press } from './interact/press.ts'
import { press } from './interact/press.ts'
import type { Said } from './interact/say.ts'
import { say } from './interact/say.ts'
import type { Submitted, Values } from './interact/submit.ts'
import { closeModal, submit } from './interact/submit.ts'
import type { Fields } from './json.ts'
import { admit } from './methods/conversations.ts'
import { removeMessage } from './posting.ts'
import type { Message, Version } from './workspace/messages.ts'
import { standing } from './workspace/messages.ts'
import type { View } from './workspace/views.ts'
import { topView } from './workspace/views.ts'

/** A message with all it ever was. */
export interface Seen extends Pick<Message, 'channel' | 'ts' | 'threadTs' | 'onlyFor' | 'pinned' | 'versions' | 'files'> {
  readonly by: Message['author']['kind']
  readonly now: Version
  readonly deleted: boolean
}

export interface Observer {
  /** Messages that everybody sees, of one channel or of all; deleted ones too. In the order of their ts. */
  readonly messages: (channel?: string) => readonly Seen[]
  /** What only this person was shown. */
  readonly shownOnlyTo: (user: string) => readonly Seen[]
  readonly calls: (method?: string) => readonly LoggedCall[]
  readonly forgetCalls: () => void
  readonly delivered: () => readonly Delivered[]
  /** Modal that the person looks at. */
  readonly modal: (user: string) => View | null
  readonly type: (typed: Typed) => Promise<Receipt | null>
  readonly press: (how: Press) => Promise<Receipt | null>
  readonly submit: (user: string, values: Values) => Promise<Submitted>
  readonly closeModal: (user: string) => Promise<Receipt | null>
  readonly say: (said: Said) => string | null
  /** Sends an event whether or not the app subscribed to it. */
  readonly fire: (event: Fields) => void
  readonly invite: (channel: string, user: string) => void
  readonly kick: (channel: string, user: string) => void
  readonly archive: (channel: string) => void
  readonly deleteMessage: (channel: string, ts: string) => void
  /** Resolves once `holds` does; false after so many ms of the machine's time. */
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<boolean>
}

export function observer(stage: Backstage, office: PostOffice, fire: (event: Fields) => void): Observer {
  const { workspace } = stage
  const seen = (message: Message): Seen => ({
    ...message,
    by: message.author.kind,
    now: standing(message),
    deleted: message.deletedAtMs !== null,
  })
  const channelOf = (id: string): NonNullable<ReturnType<typeof workspace.channels.get>> => workspace.channels.get(id)!
  return {
    messages: (channel) =>
      workspace.messages.filter((one) => one.onlyFor === null && (channel === undefined || one.channel === channel)).map(seen),
    shownOnlyTo: (user) => workspace.messages.filter((one) => one.onlyFor === user).map(seen),
    calls: (method) => stage.calls.all().filter((one) => method === undefined || one.method === method),
    forgetCalls: () => stage.calls.clear(),
    delivered: () => office.delivered(),
    modal: (user) => topView(workspace.stacks, user),
    type: (typed) => typeCommand(stage, office, typed),
    press: (how) => press(stage, office, how),
    submit: (user, values) => submit(stage, office, user, values),
    closeModal: (user) => closeModal(stage, office, user),
    say: (said) => say(stage, said)?.ts ?? null,
    fire,
    invite: (channel, user) => admit(stage, channelOf(channel), user),
    kick: (channel, user) => {
      channelOf(channel).members.delete(user)
      stage.news.tell()
    },
    archive: (id) => {
      const channel = channelOf(id)
      channel.archived = true
      stage.emit({ type: channel.kind === 'private' ? 'group_archive' : 'channel_archive', channel: id, user: 'U0AMARA' })
      stage.news.tell()
    },
    deleteMessage: (channel, ts) => {
      const message = workspace.messages.find((one) => one.channel === channel && one.ts === ts)
      if (message !== undefined) removeMessage(stage, message)
    },
    until: (holds, withinMs = 5_000) => waitUntil(stage, holds, withinMs),
  }
}

async function waitUntil(stage: Backstage, holds: () => boolean, withinMs: number): Promise<boolean> {
  if (holds()) return true
  return await new Promise((resolve) => {
    const end = (held: boolean): void => {
      clearTimeout(patience)
      clearInterval(again)
      stop()
      resolve(held)
    }
    const look = (): void => {
      if (holds()) end(true)
    }
    const patience = setTimeout(() => end(false), withinMs)
    /** Calls and deliveries make no news. */
    const again = setInterval(look, 10)
    const stop = stage.news.listen(look)
  })
}
