/** Modals: opened within 3 s of a press, filled in, sent, refused, replaced, stacked and closed. */
import { describe, expect, test } from 'vitest'
import type { Fields } from '../../../src/demo/slack/json.ts'
import { payloadOf, withApp } from './listening-app.ts'
import type { Stand } from './open-stand-in.ts'
import { CHANNEL } from './open-stand-in.ts'

const plain = (text: string): Fields => ({ type: 'plain_text', text })
const reason = {
  type: 'input',
  block_id: 'why',
  label: plain('Why?'),
  element: { type: 'plain_text_input', action_id: 'reason', min_length: 3 },
}
const window = {
  type: 'input',
  block_id: 'window',
  optional: true,
  label: plain('Window'),
  element: { type: 'static_select', action_id: 'hours', options: [{ text: plain('2 h'), value: '2' }] },
}
const view = (title: string, more: Fields = {}): Fields => ({
  type: 'modal',
  title: plain(title),
  submit: plain('Send'),
  blocks: [reason, window],
  ...more,
})

interface Modal extends Stand {
  /** What the app was brought, oldest first. */
  readonly brought: () => readonly Fields[]
  /** A fresh trigger_id, as from a press of Ben's. */
  readonly trigger: () => Promise<string>
}

/** @param answer to a view_submission; null = the app fails */
async function withModal(answer: unknown = ''): Promise<Modal> {
  const stand = await withApp((request) => {
    if (payloadOf(request).type !== 'view_submission' || answer === '') return { status: 200 }
    if (answer === null) return { status: 500 }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) }
  })
  const ts = await stand.post({
    blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'decline', text: plain('Decline') }] }],
  })
  const brought = (): Fields[] => stand.got.map(payloadOf)
  const trigger = async (): Promise<string> => {
    await stand.observer.press({ user: 'U0BEN', in: { channel: CHANNEL, ts }, on: 'decline' })
    return String(brought().at(-1)!.trigger_id)
  }
  return { ...stand, brought, trigger }
}

describe('trigger_id', () => {
  test('opens one modal, once', async () => {
    const stand = await withModal()
    const trigger = await stand.trigger()
    const opened = await stand.call('views.open', { trigger_id: trigger, view: view('Decline') })
    expect(opened).toMatchObject({ ok: true, view: { type: 'modal', state: { values: {} }, root_view_id: expect.stringMatching(/^V/) } })
    expect(stand.observer.modal('U0BEN')?.content.title).toEqual(plain('Decline'))
    expect(stand.observer.modal('U0AMARA')).toBeNull()
    expect(await stand.call('views.open', { trigger_id: trigger, view: view('Again') })).toMatchObject({ error: 'exchanged_trigger_id' })
  })

  test.each([
    [3_000, undefined],
    [3_001, 'expired_trigger_id'],
  ])('after %d ms', async (ms, error) => {
    const stand = await withModal()
    const trigger = await stand.trigger()
    await stand.clock.advance(ms)
    expect((await stand.call('views.open', { trigger_id: trigger, view: view('Decline') })).error).toBe(error)
  })

  test('a view that Slack would not take says where it is wrong, and the trigger is still good', async () => {
    const stand = await withModal()
    const trigger = await stand.trigger()
    expect(await stand.call('views.open', { trigger_id: trigger, view: view('x'.repeat(25)) })).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'] },
    })
    expect(await stand.call('views.open', { trigger_id: trigger, view: view('Decline') })).toMatchObject({ ok: true })
  })
})

describe('a submission', () => {
  const open = async (stand: Modal, more: Fields = {}): Promise<void> => {
    await stand.call('views.open', {
      trigger_id: await stand.trigger(),
      view: view('Decline', { private_metadata: 'p1', callback_id: 'why', ...more }),
    })
  }

  test('carries what was entered; empty acknowledgement closes', async () => {
    const stand = await withModal()
    await open(stand)
    await stand.observer.submit('U0BEN', { reason: 'too wide', hours: '2' })
    expect(stand.brought().at(-1)).toMatchObject({
      type: 'view_submission',
      user: { id: 'U0BEN' },
      view: {
        private_metadata: 'p1',
        callback_id: 'why',
        state: {
          values: {
            why: { reason: { type: 'plain_text_input', value: 'too wide' } },
            window: { hours: { selected_option: { value: '2' } } },
          },
        },
      },
    })
    expect(stand.brought().at(-1)).not.toHaveProperty('channel')
    expect(stand.observer.modal('U0BEN')).toBeNull()
  })

  test.each([
    [{}, 'Please complete this required field.'],
    [{ reason: 'no' }, 'Please enter at least 3 characters.'],
  ])('%o is kept back by Slack itself', async (values, error) => {
    const stand = await withModal()
    await open(stand)
    const before = stand.brought().length
    expect(await stand.observer.submit('U0BEN', values as Record<string, string>)).toEqual({ kind: 'incomplete', errors: { why: error } })
    expect(stand.brought()).toHaveLength(before)
  })

  test.each<[what: string, answer: unknown, title: string | null, errors: Fields, trouble: boolean]>([
    ['errors', { response_action: 'errors', errors: { why: 'Too short' } }, 'Decline', { why: 'Too short' }, false],
    ['errors for a block that is not there', { response_action: 'errors', errors: { other: 'x' } }, 'Decline', {}, true],
    ['another view', { response_action: 'update', view: view('Thanks') }, 'Thanks', {}, false],
    ['a view on top', { response_action: 'push', view: view('Sure?') }, 'Sure?', {}, false],
    ['clear', { response_action: 'clear' }, null, {}, false],
    ['a view that is wrong', { response_action: 'update', view: view('x'.repeat(25)) }, 'Decline', {}, true],
    ['an error of the app', null, 'Decline', {}, true],
  ])('answered with %s', async (_, answer, title, errors, trouble) => {
    const stand = await withModal(answer)
    await open(stand)
    await stand.observer.submit('U0BEN', { reason: 'too wide' })
    const modal = stand.observer.modal('U0BEN')
    expect(modal === null ? null : (modal.content.title as Fields).text).toBe(title)
    expect(modal?.errors ?? {}).toEqual(errors)
    expect((modal?.trouble ?? null) !== null).toBe(trouble)
  })

  test('closing is told where the view asks for it', async () => {
    const stand = await withModal()
    await open(stand, { notify_on_close: true })
    await stand.observer.closeModal('U0BEN')
    expect(stand.brought().at(-1)).toMatchObject({ type: 'view_closed', is_cleared: false, view: { callback_id: 'why' } })
    expect(stand.observer.modal('U0BEN')).toBeNull()
  })
})

describe('views', () => {
  test('three in a stack, not more; an update binds itself to a hash', async () => {
    const stand = await withModal()
    const first = await stand.call('views.open', { trigger_id: await stand.trigger(), view: view('1', { external_id: 'one' }) })
    await stand.call('views.push', { trigger_id: await stand.trigger(), view: view('2') })
    await stand.call('views.push', { trigger_id: await stand.trigger(), view: view('3') })
    expect(await stand.call('views.push', { trigger_id: await stand.trigger(), view: view('4') })).toMatchObject({
      error: 'push_limit_reached',
    })
    expect(await stand.call('views.push', { trigger_id: await stand.trigger(), view: view('5', { external_id: 'one' }) })).toMatchObject({
      error: 'duplicate_external_id',
    })
    const { hash } = first.view as { hash: string }
    const update = (title: string) => stand.call('views.update', { external_id: 'one', hash, view: view(title, { external_id: 'one' }) })
    expect(await update('1b')).toMatchObject({ ok: true, view: { title: plain('1b') } })
    expect(await update('1c')).toMatchObject({ error: 'hash_conflict' })
  })

  test('a push without a modal has nothing to stand on', async () => {
    const stand = await withModal()
    expect(await stand.call('views.push', { trigger_id: await stand.trigger(), view: view('2') })).toMatchObject({ error: 'not_found' })
  })
})
