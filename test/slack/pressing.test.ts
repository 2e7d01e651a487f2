/** People press buttons and fill in windows, before the stand-in of Slack and over both of its ways. */
import { describe, expect, test, vi } from 'vitest'
import type { Button } from '../../src/incident/input.ts'
import type { Message, Pressable } from '../../src/report/message.ts'
import type { Before, BeforeOptions } from '../build/slack-app.ts'
import { audience, channel, modes, openApp, team } from '../build/slack-app.ts'
import { incident } from '../build/stored-values.ts'

const hash = 'a'.repeat(64)
const ben = 'U0BEN'

const labels: Readonly<Record<Button, string>> = {
  approve: 'Approve',
  decline: 'Decline…',
  need_more: 'Need more…',
  applied: 'Applied',
  withdraw: 'Withdraw…',
  taken_back: 'Taken back',
}

function pressable(button: Button): Pressable {
  return { button, label: labels[button], tone: 'plain', confirm: null, incident: 'i-1', hash }
}

interface Posted extends Before {
  readonly ts: string
  readonly press: (button: Button, user?: string) => Promise<unknown>
}

/** With an open incident, and its message in the channel. */
async function openPosted(options: BeforeOptions = {}): Promise<Posted> {
  const before = await openApp(options)
  before.store.open.push(incident('i-1'))
  const body: Message = [{ kind: 'buttons', items: (Object.keys(labels) as Button[]).map(pressable) }]
  const outcome = await before.app.chat.post({ channel, threadTs: null, slot: 'i-1/home', edition: 1, text: 'orders', body, picture: null })
  const ts = outcome.kind === 'done' ? outcome.value.ts : ''
  const press = (button: Button, user = ben): Promise<unknown> =>
    before.stand.observer.press({ user, in: { channel, ts }, on: `headwater_${button}` })
  return { ...before, ts, press }
}

const until = async (holds: () => boolean): Promise<void> => vi.waitUntil(holds, { timeout: 4_000, interval: 10 }).then(() => undefined)

describe.each(modes)('over %s', (mode) => {
  test('a press is stored, and only then acknowledged; nobody is told anything but by the message itself', async () => {
    const before = await openPosted({ mode })
    const { promise, resolve } = Promise.withResolvers<void>()
    before.store.before = () => promise
    let acknowledged = false
    const pressed = before.press('approve').then(() => {
      acknowledged = true
    })
    await new Promise((later) => setTimeout(later, 100))
    expect(acknowledged).toBe(false)
    resolve()
    await pressed
    expect(before.inputs()).toMatchObject([
      {
        kind: 'press',
        pipeline: 'orders',
        incident: 'i-1',
        button: 'approve',
        by: { team, user: ben },
        presser: { bot: false, guest: false, foreign: false, groups: ['S0OWNERS'] },
        channel,
        message: before.ts,
        hash,
        reason: '',
        more: null,
        answerTo: expect.stringContaining('/response/'),
      },
    ])
    expect(before.told(ben)).toEqual([])
  })

  test('a press that comes twice is one; pressing twice is two', async () => {
    const before = await openPosted({ mode })
    before.stand.faults.add({ on: 'deliver.interactive', fault: { kind: 'double' } })
    await before.press('approve')
    await until(() => [...before.store.inputs.values()].some((one) => one.deliveries === 2))
    expect(before.inputs()).toHaveLength(1)
    await before.press('approve')
    expect(before.inputs()).toHaveLength(2)
  })

  test.each(['decline', 'withdraw'] as const)('%s asks for a reason first, and only that reason makes it count', async (button) => {
    const before = await openPosted({ mode })
    const { observer } = before.stand
    await before.press(button)
    await until(() => observer.modal(ben) !== null)
    expect(before.inputs()).toEqual([])
    expect(await observer.submit(ben, { text: '' })).toMatchObject({ kind: 'incomplete' })
    await observer.submit(ben, { text: '   ' })
    expect(observer.modal(ben)!.errors).toEqual({ reason: 'Please give a reason.' })
    await observer.submit(ben, { text: 'after the deployment\n<!channel>' })
    expect(observer.modal(ben)).toBeNull()
    expect(before.inputs()).toMatchObject([
      {
        button,
        reason: 'after the deployment <!channel>',
        message: before.ts,
        hash,
        by: { team, user: ben },
        presser: { groups: ['S0OWNERS'] },
      },
    ])
  })

  test('what was written is not lost while the store is away', async () => {
    const before = await openPosted({ mode })
    const { observer } = before.stand
    await before.press('decline')
    await until(() => observer.modal(ben) !== null)
    before.store.mode = 'refuses'
    await observer.submit(ben, { text: 'too wide' })
    expect(observer.modal(ben)!.errors.reason).toContain('could not keep this')
    before.store.mode = 'usual'
    await observer.submit(ben, { text: 'too wide' })
    expect(observer.modal(ben)).toBeNull()
    expect(before.inputs()).toMatchObject([{ reason: 'too wide' }])
  })
})

describe('need more', () => {
  test.each([
    ['longer_window', { want: 'longer_window' }],
    ['deciding_reading', { want: 'deciding_reading' }],
    ['why_not:slow_sink', { want: 'why_not', cause: 'slow_sink' }],
  ])('%s', async (choice, more) => {
    const before = await openPosted()
    const { observer } = before.stand
    await before.press('need_more')
    await until(() => observer.modal(ben) !== null)
    expect(await observer.submit(ben, {})).toMatchObject({ kind: 'incomplete' })
    await observer.submit(ben, { choice })
    expect(before.inputs()).toMatchObject([{ button: 'need_more', more, reason: '' }])
  })
})

describe('who presses is said as Slack says it', () => {
  test.each<[string, string, object]>([
    ['a guest', 'U0EVE', { bot: false, guest: true, foreign: false, groups: [] }],
    ['a colleague who owns nothing', 'U0DANA', { bot: false, guest: false, foreign: false, groups: [] }],
    ['an owner', 'U0CHIO', { bot: false, guest: false, foreign: false, groups: ['S0OWNERS'] }],
  ])('%s', async (_, user, presser) => {
    const before = await openPosted()
    await before.press('approve', user)
    expect(before.inputs()).toMatchObject([{ by: { team, user }, presser }])
  })

  test('somebody from another workspace keeps the id of that one', async () => {
    const before = await openPosted()
    before.stand.observer.invite(channel, 'U0FINN')
    await before.press('approve', 'U0FINN')
    expect(before.inputs()).toMatchObject([{ by: { team: 'T0PARTNER', user: 'U0FINN' }, presser: { foreign: true } }])
  })

  test('an app that presses is called one', async () => {
    const before = await openPosted()
    Object.assign(before.stand.workspace.users.get('U0DANA')!, { bot: true })
    await before.press('approve', 'U0DANA')
    expect(before.inputs()).toMatchObject([{ presser: { bot: true } }])
  })

  test('groups are read ahead, and again when Slack says that one changed', async () => {
    const before = await openPosted()
    const { observer, workspace } = before.stand
    await until(() => observer.calls('usergroups.users.list').length === 1)
    await before.press('approve')
    await before.press('approve', 'U0CHIO')
    expect(observer.calls('usergroups.users.list')).toHaveLength(1)
    Object.assign(workspace.groups.get('S0OWNERS')!, { members: ['U0DANA'] })
    observer.fire({ type: 'subteam_members_changed', subteam_id: 'S0OWNERS' })
    await until(() => observer.calls('usergroups.users.list').length === 2)
    await before.press('approve', 'U0DANA')
    await before.press('approve')
    expect(before.inputs().map((one) => (one.kind === 'press' ? one.presser.groups : null))).toEqual([
      ['S0OWNERS'],
      ['S0OWNERS'],
      ['S0OWNERS'],
      [],
    ])
  })

  test('whoever may have left the group does not decide by an older answer', async () => {
    const before = await openPosted()
    const { observer } = before.stand
    await until(() => observer.calls('usergroups.users.list').length === 1)
    before.stand.faults.add({ on: 'usergroups.users.list', fault: { kind: 'status', status: 500, after: 'nothing' }, times: 5 })
    observer.fire({ type: 'subteam_members_changed', subteam_id: 'S0OWNERS' })
    await until(() => before.log.some((line) => line.includes('who is in a group')))
    await before.press('approve')
    await until(() => before.told(ben).length === 1)
    expect(before.told(ben)[0]).toContain('did not tell me who is in the owners’ group')
    expect(before.inputs()).toEqual([])
  })

  test('an owner is not refused because Slack does not say who is in the group: pressing again is asked for', async () => {
    const before = await openApp({ stand: {}, audiences: [audience('orders', { owners: { users: ['U0AMARA'], groups: ['S0GONE'] } })] })
    before.store.open.push(incident('i-1'))
    const body: Message = [{ kind: 'buttons', items: [pressable('approve')] }]
    const outcome = await before.app.chat.post({ channel, threadTs: null, slot: 's', edition: 1, text: 'orders', body, picture: null })
    const ts = outcome.kind === 'done' ? outcome.value.ts : ''
    const press = (user: string) => before.stand.observer.press({ user, in: { channel, ts }, on: 'headwater_approve' })
    await press(ben)
    await until(() => before.told(ben).length === 1)
    expect(before.told(ben)).toEqual([expect.stringContaining('did not tell me who is in the owners’ group')])
    expect(before.inputs()).toEqual([])
    await press('U0AMARA')
    expect(before.inputs()).toMatchObject([{ by: { user: 'U0AMARA' }, presser: { groups: [] } }])
  })
})

describe('a press that cannot be dealt with is answered to its presser alone', () => {
  test('an incident that nobody knows', async () => {
    const before = await openPosted()
    before.store.open.length = 0
    await before.press('approve')
    await until(() => before.told(ben).length === 1)
    expect(before.told(ben)[0]).toContain('not known any more')
    expect(before.inputs()).toEqual([])
  })

  test('a store that is away', async () => {
    const before = await openPosted()
    before.store.mode = 'refuses'
    await before.press('approve')
    await until(() => before.told(ben).length === 1)
    expect(before.told(ben)[0]).toContain('could not keep this')
  })

  test('a window that comes too late to be opened', async () => {
    const before = await openPosted()
    before.stand.faults.add({ on: 'views.open', fault: { kind: 'refuse', error: 'expired_trigger_id' } })
    await before.press('decline')
    await until(() => before.told(ben).length === 1)
    expect(before.told(ben)[0]).toContain('too little time')
  })

  test('a button of somebody else is acknowledged and nothing more', async () => {
    const before = await openPosted()
    Object.assign(before.stand.workspace.messages[0]!.versions.at(-1)!, {
      blocks: [
        {
          type: 'actions',
          block_id: 'x',
          elements: [{ type: 'button', action_id: 'headwater_approve', text: { type: 'plain_text', text: 'A' }, value: '["i-1"]' }],
        },
      ],
    })
    expect(await before.press('approve')).toMatchObject({ kind: 'acknowledged' })
    expect(before.inputs()).toEqual([])
    expect(before.log.join('')).toContain('none of ours')
  })
})
