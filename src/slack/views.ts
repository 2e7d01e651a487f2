/** Windows that ask for a reason, or for what is to be looked at. What is entered is foreign text: kept, never interpreted. */
import type { App, types } from '@slack/bolt'
import { causes } from '../attribution/causes/index.ts'
import type { Button } from '../incident/input.ts'
import type { More } from '../incident/more.ts'
import { moreText } from '../incident/more.ts'
import { wordsFor } from '../report/cause-words.ts'
import { clean } from '../report/clean.ts'
import { plain } from '../report/plain.ts'
import { cutString } from './blocks/text.ts'
import type { DecidePorts } from './decide.ts'
import { decide } from './decide.ts'
import { limits } from './limits.ts'
import type { Pressed, Submitted } from './payloads.ts'
import { submissionOf, textOf } from './payloads.ts'

const callback = 'headwater_more'
const blockOf = { reason: 'reason', more: 'more' } as const

/** Decided only once more is known. */
type Asking = 'decline' | 'withdraw' | 'need_more'

export const asksForMore = (button: Button): button is Asking => Object.hasOwn(windows, button)

const windows: Readonly<
  Record<Asking, { readonly title: string; readonly submit: string; readonly reason: string; readonly hint: string }>
> = {
  decline: {
    title: 'Decline the change',
    submit: 'Decline',
    reason: 'Why not?',
    hint: 'Everybody in the channel sees it, and it stays in the ledger. No change is made.',
  },
  withdraw: {
    title: 'Withdraw the approval',
    submit: 'Withdraw',
    reason: 'Why?',
    hint: 'Everybody in the channel sees it, and it stays in the ledger. If the change is in force already, undo it as the proposal says.',
  },
  need_more: {
    title: 'Need more first',
    submit: 'Ask for it',
    reason: 'Anything to add?',
    hint: 'For the other readers: Headwater keeps it, but does not read it.',
  },
}

const text = (words: string) => ({ type: 'plain_text', text: words, emoji: false }) as const

export function modal(pressed: Pressed): types.ModalView {
  const button = pressed.button as Asking
  const { title, submit, reason, hint } = windows[button]
  const { incident, hash, channel, message, answerTo } = pressed
  const asksReason = button !== 'need_more'
  const input: types.InputBlock = {
    type: 'input',
    block_id: blockOf.reason,
    label: text(reason),
    hint: text(hint),
    optional: !asksReason,
    element: {
      type: 'plain_text_input',
      action_id: 'text',
      multiline: true,
      max_length: limits.reason,
      ...(asksReason ? { min_length: 3 } : {}),
    },
  }
  return {
    type: 'modal',
    callback_id: callback,
    title: text(title),
    submit: text(submit),
    close: text('Back'),
    private_metadata: kept({ button, incident, hash, channel, message, answerTo }),
    blocks: asksReason ? [input] : [choice(), input],
  }
}

/** What comes back with the answer. An address that does not fit is left out: then the presser is answered in the channel. */
function kept(ids: Pick<Pressed, 'button' | 'incident' | 'hash' | 'channel' | 'message' | 'answerTo'>): string {
  const whole = JSON.stringify(ids)
  return whole.length <= limits.modal.metadata ? whole : JSON.stringify({ ...ids, answerTo: null })
}

const option = (words: string, value: string) => ({ text: text(cutString(words, limits.modal.option)), value })

/** One choice that holds all: there is nothing that could contradict itself. */
function choice(): types.InputBlock {
  const others = causes.map(({ name }) => name).filter((name) => name !== 'none')
  const element: types.StaticSelect = {
    type: 'static_select',
    action_id: 'choice',
    placeholder: text('Choose'),
    option_groups: [
      {
        label: text('Look again'),
        options: [
          option('With a longer window: 3 hours', 'longer_window'),
          option('For the reading that would decide', 'deciding_reading'),
        ],
      },
      {
        label: text('Explain'),
        options: others
          .slice(0, limits.modal.options)
          .map((cause) => option(`Why not: ${wordsFor(cause).title}`, moreText({ want: 'why_not', cause }))),
      },
    ],
  }
  return { type: 'input', block_id: blockOf.more, label: text('What do you need?'), element }
}

function moreOf(value: string): More | null {
  if (value === 'longer_window' || value === 'deciding_reading') return { want: value }
  const cause = /^why_not:(\w{1,60})$/.exec(value)?.[1]
  return cause !== undefined && causes.some((one) => one.name === cause) ? { want: 'why_not', cause } : null
}

/** Slack shows such an answer in the window, which stays open with what was written in it. */
type Mistake = Readonly<Record<string, string>>

export function onViews(app: App, ports: DecidePorts): void {
  app.view(callback, async ({ ack, body }) => {
    const mistake = await submitted(submissionOf(body), ports)
    await (mistake === null ? ack() : ack({ response_action: 'errors', errors: { ...mistake } }))
  })
}

async function submitted({ by, view, kept, entered }: Submitted, ports: DecidePorts): Promise<Mistake | null> {
  const button = textOf(kept.button) as Asking
  if (!Object.hasOwn(windows, button))
    return { [blockOf.reason]: 'This window is from an older version. Close it and press the button again.' }
  const reason = clean(entered[blockOf.reason] ?? '').slice(0, limits.reason)
  const more = button === 'need_more' ? moreOf(entered[blockOf.more] ?? '') : null
  if (button === 'need_more' && more === null) return { [blockOf.more]: 'Please choose one of these.' }
  if (button !== 'need_more' && reason === '') return { [blockOf.reason]: 'Please give a reason.' }
  const ids = { incident: textOf(kept.incident), hash: textOf(kept.hash), channel: textOf(kept.channel), message: textOf(kept.message) }
  // The same window sent twice is one decision.
  const press = { key: `view/${view}`, by, button, ...ids, answerTo: textOf(kept.answerTo) || null }
  const refusal = await decide(press, reason, more, ports)
  return refusal === null ? null : { [blockOf.reason]: plain(refusal.text) }
}
