/** A person presses a button or picks from a menu, in a message or in a modal. */
import type { Backstage } from '../backstage.ts'
import { everyBlock, everyElement } from '../blocks/elements.ts'
import type { Receipt } from '../deliver/parcel.ts'
import { pressPayload } from '../deliver/payloads.ts'
import type { PostOffice } from '../deliver/post-office.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, present, textOf } from '../json.ts'
import { showMessage } from '../posting.ts'
import { standing } from '../workspace/messages.ts'
import { topView } from '../workspace/views.ts'
import { newResponseUrl, newTrigger } from './permits.ts'
import { picked } from './picked.ts'

export interface Press {
  readonly user: string
  /** Message that it stands in; null = the modal that the person looks at. */
  readonly in: { readonly channel: string; readonly ts: string } | null
  /** action_id, or what is written on the button. */
  readonly on: string
  /** Where an action_id stands in several blocks. */
  readonly block?: string
  /** What was picked, for menus and choices. */
  readonly values?: readonly string[]
}

interface Found {
  readonly block: Fields
  readonly element: Fields
}

/** The element with this action_id, else with these words on it. */
function find(blocks: readonly Fields[], press: Press): Found | null {
  const all = everyBlock(blocks)
    .filter((block) => press.block === undefined || block.block_id === press.block)
    .flatMap((block) => everyElement(block).map((element) => ({ block, element })))
  const labelled = ({ element }: Found): boolean => textOf(fieldsOf(element.text).text) === press.on
  return all.find(({ element }) => element.action_id === press.on) ?? all.find(labelled) ?? null
}

function actionOf(found: Found, press: Press, ts: string): Fields {
  const { block, element } = found
  const base = { action_id: element.action_id, block_id: block.block_id, action_ts: ts }
  if (element.type === 'button' || element.type === 'icon_button' || element.type === 'workflow_button') {
    return present({ ...base, type: element.type, text: element.text, value: element.value, style: element.style })
  }
  return { ...base, ...picked(element, press.values ?? []) }
}

/** @returns null = there is no such thing to press for this person */
export async function press(stage: Backstage, office: PostOffice, how: Press): Promise<Receipt | null> {
  const user = stage.workspace.users.get(how.user)
  if (user === undefined) return null
  const send = async (payload: Fields): Promise<Receipt> =>
    await office.send({ kind: 'interactive', payload, answerable: false, retry: null })
  const actionTs = `${(stage.today() / 1000).toFixed(6)}`
  if (how.in === null) {
    const view = topView(stage.workspace.stacks, user.id)
    const found = view === null ? null : find(listOf(view.content.blocks).map(fieldsOf), how)
    if (view === null || found === null) return null
    return await send(
      pressPayload(stage, {
        user,
        triggerId: newTrigger(stage, user.id, view.id),
        actions: [actionOf(found, how, actionTs)],
        in: { view },
      }),
    )
  }
  const { channel: id, ts } = how.in
  const channel = stage.workspace.channels.get(id)
  const message = stage.workspace.messages.find((one) => one.channel === id && one.ts === ts && one.deletedAtMs === null)
  if (channel === undefined || message === undefined || !channel.members.has(user.id) || (message.onlyFor ?? user.id) !== user.id)
    return null
  const found = find(standing(message).blocks, how)
  if (found === null) return null
  const ephemeral = message.onlyFor !== null
  const responseUrl = newResponseUrl(stage, { user: user.id, channel: id, original: { ts, ephemeral }, threadTs: message.threadTs })
  const place = { channel, ts, threadTs: message.threadTs, ephemeral, message: showMessage(stage, message, true), responseUrl }
  return await send(
    pressPayload(stage, { user, triggerId: newTrigger(stage, user.id), actions: [actionOf(found, how, actionTs)], in: place }),
  )
}
