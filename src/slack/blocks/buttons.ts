/** Buttons: an id of ours on each, which is looked up again when it is pressed. */
import type { types } from '@slack/bolt'
import type { Pressable } from '../../report/message.ts'
import { limits } from '../limits.ts'
import type { Piece } from './piece.ts'
import { nothing } from './piece.ts'
import { cutString } from './text.ts'

/** What an action of ours begins with; the button follows. */
export const actionPrefix = 'headwater_'

/** What a pressed button brings back: ids alone. */
export const buttonValue = ({ incident, hash }: Pick<Pressable, 'incident' | 'hash'>): string => JSON.stringify([incident, hash])

export function buttons(items: readonly Pressable[]): Piece {
  // An action_id may stand once in a block, and an id that Slack would cut means something else.
  const once = items.filter((one, place) => items.findIndex((other) => other.button === one.button) === place)
  const all = once.filter((one) => buttonValue(one).length <= limits.button.value).slice(0, limits.buttons)
  if (all.length === 0) return nothing
  const text = all.reduce(
    (sum, { label, confirm }) => sum + label.length + (confirm?.title.length ?? 0) + (confirm?.text.length ?? 0) + 20,
    0,
  )
  return { need: Math.min(text, 1_500), first: true, count: 1, in: () => [{ type: 'actions', elements: all.map(button) }] }
}

function button(item: Pressable): types.Button {
  const { tone, confirm } = item
  const label = cutString(item.label, limits.button.label) || item.button
  return {
    type: 'button',
    action_id: `${actionPrefix}${item.button}`,
    text: { type: 'plain_text', text: label, emoji: false },
    value: buttonValue(item),
    ...(tone === 'plain' ? {} : { style: tone === 'good' ? 'primary' : 'danger' }),
    ...(confirm === null ? {} : { confirm: dialog(confirm, label) }),
  }
}

function dialog({ title, text }: NonNullable<Pressable['confirm']>, label: string): types.ConfirmationDialog {
  const plain = (words: string, most: number) => ({ type: 'plain_text', text: cutString(words, most) || '?', emoji: false }) as const
  return {
    title: plain(title, limits.confirm.title),
    text: plain(text, limits.confirm.text),
    confirm: plain(label, 30),
    deny: plain('Back', 30),
  }
}
