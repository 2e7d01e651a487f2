/** A person submits or closes the modal they look at. */
import type { Backstage } from '../backstage.ts'
import type { Receipt } from '../deliver/parcel.ts'
import { closedPayload, submissionPayload } from '../deliver/payloads.ts'
import type { PostOffice } from '../deliver/post-office.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { pushView, updateView, viewRefusal } from '../methods/views.ts'
import type { Entered, View } from '../workspace/views.ts'
import { MOST_VIEWS_IN_A_STACK, replaceView, topView } from '../workspace/views.ts'
import { newTrigger } from './permits.ts'
import { initial, picked } from './picked.ts'

/** What was entered: action_id (or block_id) → one text or several values. */
export type Values = Readonly<Record<string, string | readonly string[]>>

export type Submitted =
  | { readonly kind: 'no_modal' }
  /** Slack itself does not send it: block_id → what is missing. */
  | { readonly kind: 'incomplete'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'sent'; readonly receipt: Receipt }

const TROUBLE = 'We had some trouble connecting. Try again?'

export async function submit(stage: Backstage, office: PostOffice, userId: string, values: Values): Promise<Submitted> {
  const user = stage.workspace.users.get(userId)
  const open = topView(stage.workspace.stacks, userId)
  if (user === undefined || open === null) return { kind: 'no_modal' }
  const { entered, errors } = readEntered(open, values)
  const view = { ...open, entered, errors, trouble: null }
  replaceView(stage.workspace.stacks, view)
  stage.news.tell()
  if (Object.keys(errors).length > 0) return { kind: 'incomplete', errors }
  const payload = submissionPayload(stage, user, view, newTrigger(stage, userId, view.id))
  const receipt = await office.send({ kind: 'interactive', payload, answerable: true, retry: null })
  if (receipt.kind === 'acknowledged' && isFields(receipt.body ?? {})) obey(stage, view, fieldsOf(receipt.body))
  else trouble(stage, view)
  return { kind: 'sent', receipt }
}

/** Reads inputs as Slack's client does, which keeps incomplete ones back. */
function readEntered(view: View, values: Values): { entered: Entered; errors: Record<string, string> } {
  const entered: Record<string, Record<string, Fields>> = {}
  const errors: Record<string, string> = {}
  for (const block of listOf(view.content.blocks)
    .map(fieldsOf)
    .filter((one) => one.type === 'input')) {
    const element = fieldsOf(block.element)
    const blockId = textOf(block.block_id)
    const actionId = textOf(element.action_id)
    const given = values[actionId] ?? values[blockId] ?? initial(element)
    const list = (typeof given === 'string' ? [given] : given).filter((one) => one !== '')
    entered[blockId] = { [actionId]: picked(element, list) }
    const error = mistakeIn(element, list, block.optional === true)
    if (error !== null) errors[blockId] = error
  }
  return { entered, errors }
}

function mistakeIn(element: Fields, list: readonly string[], optional: boolean): string | null {
  const text = list[0]
  if (text === undefined) return optional ? null : 'Please complete this required field.'
  const { min_length: min, max_length: max } = element
  if (typeof min === 'number' && text.length < min) return `Please enter at least ${min} characters.`
  if (typeof max === 'number' && text.length > max) return `Please enter at most ${max} characters.`
  if (element.type === 'number_input' && !Number.isFinite(Number(text))) return 'Please enter a number.'
  return null
}

/** Carries out the response_action of an acknowledgement; an empty one closes the view. What Slack would not take is trouble. */
function obey(stage: Backstage, view: View, answer: Fields): void {
  const { stacks } = stage.workspace
  const stack = stacks.get(view.user) ?? []
  switch (answer.response_action) {
    case undefined:
      stacks.set(view.user, stack.slice(0, -1))
      break
    case 'clear':
      stacks.set(view.user, [])
      break
    case 'errors':
      showErrors(stage, view, fieldsOf(answer.errors))
      break
    default:
      showNext(stage, view, answer)
  }
  stage.news.tell()
}

function showErrors(stage: Backstage, view: View, errors: Fields): void {
  const known = listOf(view.content.blocks).map((block) => textOf(fieldsOf(block).block_id))
  const named = Object.keys(errors)
  if (named.length === 0 || named.some((id) => !known.includes(id))) trouble(stage, view)
  else replaceView(stage.workspace.stacks, { ...view, errors: Object.fromEntries(named.map((id) => [id, textOf(errors[id])])) })
}

function showNext(stage: Backstage, view: View, answer: Fields): void {
  const pushes = answer.response_action === 'push'
  const full = pushes && (stage.workspace.stacks.get(view.user) ?? []).length >= MOST_VIEWS_IN_A_STACK
  if (full || viewRefusal(stage, answer.view, pushes ? null : view) !== null) trouble(stage, view)
  else if (pushes) pushView(stage, view.user, fieldsOf(answer.view))
  else updateView(stage, view, fieldsOf(answer.view))
}

function trouble(stage: Backstage, view: View): void {
  replaceView(stage.workspace.stacks, { ...view, trouble: TROUBLE })
  stage.news.tell()
}

export async function closeModal(stage: Backstage, office: PostOffice, userId: string): Promise<Receipt | null> {
  const user = stage.workspace.users.get(userId)
  const view = topView(stage.workspace.stacks, userId)
  if (user === undefined || view === null) return null
  const clears = view.content.clear_on_close === true
  const stack = stage.workspace.stacks.get(userId) ?? []
  stage.workspace.stacks.set(userId, clears ? [] : stack.slice(0, -1))
  stage.news.tell()
  if (view.content.notify_on_close !== true) return null
  return await office.send({ kind: 'interactive', payload: closedPayload(stage, user, view, clears), answerable: false, retry: null })
}
