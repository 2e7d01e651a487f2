/** What Slack brings, in our own words: only what is used is read, and nothing is believed to be there. */
import type { Button } from '../incident/input.ts'
import { actionPrefix } from './blocks/buttons.ts'

/** Somebody, as a payload names them: the workspace, or the organisation it belongs to. */
export interface Someone {
  readonly user: string
  /** Of the person, where it is told. */
  readonly team: string
  readonly enterprise: string
}

export interface Question {
  /** The same when the same question comes again. */
  readonly key: string
  readonly by: Someone
  readonly channel: string
  readonly thread: string | null
  readonly text: string
  readonly answerTo: string | null
}

export interface Pressed {
  readonly key: string
  readonly by: Someone
  readonly button: Button
  readonly incident: string
  readonly hash: string
  readonly channel: string
  readonly message: string
  readonly answerTo: string | null
  readonly trigger: string
}

type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown): string | null => textOf(value) || null

export function commandOf(body: unknown): Question {
  const sent = fieldsOf(body)
  return {
    key: `command/${textOf(sent.team_id)}/${textOf(sent.trigger_id)}`,
    by: { user: textOf(sent.user_id), team: textOf(sent.team_id), enterprise: textOf(sent.enterprise_id) },
    channel: textOf(sent.channel_id),
    thread: null,
    text: textOf(sent.text),
    answerTo: textOrNull(sent.response_url),
  }
}

/** @returns null = not written by a person, or an edit of what was heard before */
export function mentionOf(body: unknown): Question | null {
  const { team_id: team, event } = fieldsOf(body)
  const said = fieldsOf(event)
  if (textOf(said.user) === '' || textOf(said.bot_id) !== '' || said.edited !== undefined || said.subtype !== undefined) return null
  const channel = textOf(said.channel)
  // One message is known to come as two events with different times; this id is the same.
  const id = textOf(said.client_msg_id) || textOf(said.ts)
  return {
    key: `mention/${textOf(team)}/${channel}/${id}`,
    by: { user: textOf(said.user), team: textOf(said.user_team) || textOf(said.team) || textOf(team), enterprise: '' },
    channel,
    thread: textOrNull(said.thread_ts),
    text: textOf(said.text),
    answerTo: null,
  }
}

const buttons: readonly string[] = ['approve', 'decline', 'need_more', 'applied', 'withdraw', 'taken_back'] satisfies readonly Button[]

function someoneOf(body: Fields): Someone {
  const user = fieldsOf(body.user)
  return { user: textOf(user.id), team: textOf(user.team_id), enterprise: textOf(fieldsOf(body.enterprise).id) }
}

/** @returns null = no button of ours */
export function pressOf(body: unknown): Pressed | null {
  const sent = fieldsOf(body)
  const action = fieldsOf(Array.isArray(sent.actions) ? sent.actions[0] : undefined)
  const container = fieldsOf(sent.container)
  const name = textOf(action.action_id)
  const ids = idsOf(textOf(action.value))
  const button = name.slice(actionPrefix.length)
  if (!name.startsWith(actionPrefix) || !buttons.includes(button) || ids === null) return null
  return {
    key: `press/${textOf(sent.trigger_id)}`,
    by: someoneOf(sent),
    button: button as Button,
    incident: ids[0],
    hash: ids[1],
    channel: textOf(fieldsOf(sent.channel).id) || textOf(container.channel_id),
    message: textOf(container.message_ts),
    answerTo: textOrNull(sent.response_url),
    trigger: textOf(sent.trigger_id),
  }
}

function idsOf(value: string): readonly [string, string] | null {
  const read = parsed(value)
  if (!Array.isArray(read) || read.length !== 2 || !read.every((one) => typeof one === 'string')) return null
  return read as unknown as readonly [string, string]
}

export interface Submitted {
  readonly by: Someone
  readonly view: string
  /** What the app itself put into the view. */
  readonly kept: Fields
  /** block_id → what was entered or chosen. */
  readonly entered: Readonly<Record<string, string>>
}

export function submissionOf(body: unknown): Submitted {
  const sent = fieldsOf(body)
  const view = fieldsOf(sent.view)
  const values = Object.entries(fieldsOf(fieldsOf(view.state).values))
  return {
    by: someoneOf(sent),
    view: textOf(view.id),
    kept: fieldsOf(parsed(textOf(view.private_metadata))),
    entered: Object.fromEntries(values.map(([block, actions]) => [block, enteredOf(Object.values(fieldsOf(actions))[0])])),
  }
}

function enteredOf(element: unknown): string {
  const { value, selected_option: option } = fieldsOf(element)
  return textOf(value) || textOf(fieldsOf(option).value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
