/** A message in a channel or thread. */
import type { Backstage } from '../backstage.ts'
import type { Message } from '../workspace/messages.ts'
import { standing } from '../workspace/messages.ts'
import { repliesTo } from '../workspace/workspace.ts'
import { attachment, blocks } from './blocks.ts'
import { dateText } from './dates.ts'
import type { Choices } from './elements.ts'
import { emoji } from './emoji.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'
import { mrkdwn } from './mrkdwn.ts'
import type { Reader } from './reader.ts'
import { authorName } from './reader.ts'
import { picture } from './texts.ts'

export interface Sight {
  readonly reader: Reader
  readonly choices: Choices
  /** In a thread's panel no thread is offered. */
  readonly inThread: boolean
}

export function messageHtml(stage: Backstage, message: Message, sight: Sight): Markup {
  const { reader } = sight
  if (message.deletedAtMs !== null) {
    return html`<article class="message gone" data-ts="${message.ts}"><div class="face">🗑</div><div class="body">This message was deleted.${thread(stage, message, sight)}</div></article>`
  }
  const name = authorName(stage, message.author)
  const isApp = message.author.kind !== 'user'
  const seconds = Number(message.ts)
  const when = dateText(seconds, '{time}', '', reader)
  const whole = dateText(seconds, '{date_long} at {time_secs}', '', reader)
  return html`<article class="message${message.onlyFor === null ? '' : ' only-you'}" data-ts="${message.ts}" aria-label="${standing(message).text}">
    <div class="face ${isApp ? 'app' : ''}" aria-hidden="true">${name.slice(0, 1)}</div>
    <div class="body">
      ${message.onlyFor === null ? nothing : html`<div class="note">👁 Only visible to you</div>`}
      ${message.pinned ? html`<div class="note">📌 Pinned</div>` : nothing}
      ${message.broadcast ? html`<div class="note">replied to a thread</div>` : nothing}
      <div class="head"><strong>${name}</strong>${isApp ? html` <span class="badge">APP</span>` : nothing} <time title="${whole}">${when}</time></div>
      ${content(message, sight)}
      ${reactions(message)}
      ${thread(stage, message, sight)}
    </div>
  </article>`
}

function content(message: Message, { reader, choices }: Sight): Markup {
  const { text, blocks: list, attachments } = standing(message)
  const page = { reader, choices, errors: {}, entered: null }
  const edited = message.versions.length > 1 ? html` <span class="edited">(edited)</span>` : nothing
  const main =
    list.length > 0
      ? html`${blocks(list, page)}${edited}`
      : text === ''
        ? nothing
        : html`<div class="text">${mrkdwn(text, reader)}${edited}</div>`
  const files = message.files.map(
    (id) => html`<figure class="block image">${picture({ slack_file: { id }, alt_text: id }, reader, 'block')}</figure>`,
  )
  return html`<div class="content">${main}${attachments.map((one) => attachment(one, page))}${files}</div>`
}

function reactions(message: Message): Markup {
  if (message.reactions.size === 0) return nothing
  return html`<div class="reactions">${[...message.reactions].map(([name, users]) => html`<span>${emoji(name)} ${users.length}</span>`)}</div>`
}

/** Under a message: how many replies there are, or the way to begin a thread. */
function thread(stage: Backstage, message: Message, { reader, inThread }: Sight): Markup {
  if (inThread || message.onlyFor !== null) return nothing
  const root = message.threadTs ?? message.ts
  const replies = message.threadTs === null ? repliesTo(stage.workspace, message) : []
  const last = replies.at(-1)
  const words = last === undefined ? '💬' : `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`
  const label = last === undefined ? html` aria-label="Reply in thread" title="Reply in thread"` : nothing
  const when = last === undefined ? nothing : html` <small>last at ${dateText(Number(last.ts), '{time}', '', reader)}</small>`
  return html`<button type="button" class="thread-link${last === undefined ? ' quiet' : ''}" data-thread="${root}"${label}>${words}${when}</button>`
}
