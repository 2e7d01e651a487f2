/** People ask, by command or by mention, before the stand-in of Slack and over both of its ways. */
import { describe, expect, test, vi } from 'vitest'
import { demoApp } from '../../src/demo/slack/settings.ts'
import { noPipeline } from '../../src/incident/unmapped.ts'
import type { Before } from '../build/slack-app.ts'
import { audience, channel, modes, openApp, team } from '../build/slack-app.ts'
import { incident } from '../build/stored-values.ts'

const amara = 'U0AMARA'
const type = ({ stand }: Before, line: string, user = amara, where = channel) => stand.observer.type({ user, channel: where, line })
const until = async (holds: () => boolean): Promise<void> => vi.waitUntil(holds, { timeout: 4_000, interval: 10 }).then(() => undefined)

describe.each(modes)('over %s', (mode) => {
  test('a command is stored, and only then acknowledged with a word to the asker', async () => {
    const before = await openApp({ mode })
    const { promise, resolve } = Promise.withResolvers<void>()
    before.store.before = () => promise
    let acknowledged = false
    const typed = type(before, '/headwater diagnose orders').then(() => {
      acknowledged = true
    })
    await new Promise((later) => setTimeout(later, 100))
    expect(acknowledged).toBe(false)
    resolve()
    await typed
    expect(before.inputs()).toMatchObject([{ kind: 'command', by: { team, user: amara }, channel, pipeline: 'orders', sinceMs: null }])
    expect(before.told(amara)).toEqual([expect.stringContaining('I am looking at orders.')])
  })

  test('with the store away the asker alone is told so, and a second try is kept', async () => {
    const before = await openApp({ mode })
    before.store.mode = 'refuses'
    await type(before, '/headwater diagnose orders')
    expect(before.told(amara)).toEqual([expect.stringContaining('could not keep this')])
    before.store.mode = 'usual'
    await type(before, '/headwater diagnose orders')
    expect(before.inputs()).toHaveLength(1)
  })

  test('a store that hangs is not waited for until Slack gives up', async () => {
    const before = await openApp({ mode })
    before.store.mode = 'hangs'
    expect(await type(before, '/headwater diagnose orders')).toMatchObject({ kind: 'acknowledged' })
    expect(before.told(amara)).toEqual([expect.stringContaining('could not keep this')])
  })

  test('a mention in a thread is a question too; the answer comes there, for the asker alone', async () => {
    const before = await openApp({ mode })
    const { observer } = before.stand
    const root = observer.say({ user: 'U0BEN', channel, text: 'lag again' })
    observer.say({ user: amara, channel, text: '@headwater diagnose orders last 2h', threadTs: root })
    await until(() => before.told(amara).length === 1)
    expect(before.inputs()).toMatchObject([{ kind: 'command', pipeline: 'orders' }])
    const { atMs, sinceMs } = before.inputs()[0] as { atMs: number; sinceMs: number }
    expect(Math.abs(atMs - sinceMs - 2 * 3_600_000)).toBeLessThan(1_000)
    expect(observer.shownOnlyTo(amara)[0]!.threadTs).toBe(root)
    expect(observer.messages(channel).filter((one) => one.by === 'app')).toEqual([])
  })

  test('a mention that could not be stored comes again, and is kept then', async () => {
    const before = await openApp({ mode })
    let tries = 0
    before.store.before = async () => {
      tries++
      if (tries === 1) throw new Error('no store')
    }
    before.stand.observer.say({ user: amara, channel, text: '@headwater diagnose orders' })
    const nums = () => before.stand.observer.delivered().map((one) => one.parcel.retry?.num ?? 0)
    await until(() => nums().length === 2)
    expect(nums()).toEqual([0, 1])
    expect(before.inputs()).toHaveLength(1)
    expect(before.told(amara).filter((one) => one.includes('could not keep'))).toHaveLength(1)
  })

  test.each(['deliver.slash_commands', 'deliver.events_api'])('what comes twice by %s is one question', async (on) => {
    const before = await openApp({ mode })
    before.stand.faults.add({ on, fault: { kind: 'double' } })
    if (on === 'deliver.slash_commands') await type(before, '/headwater diagnose orders')
    else before.stand.observer.say({ user: amara, channel, text: '@headwater diagnose orders' })
    await until(() => [...before.store.inputs.values()].some((one) => one.deliveries === 2))
    expect(before.inputs()).toHaveLength(1)
  })
})

test('the window that was understood is said to the asker, and how a thorough look is made', async () => {
  const before = await openApp()
  await type(before, '/headwater diagnose orders last 3h thorough')
  await until(() => before.told(amara).length === 1)
  expect(before.told(amara)[0]).toMatch(/^I am looking at orders since \d\d:\d\d:\d\d( \S+)?\. It takes some 20 seconds\./)
  await type(before, '/headwater diagnose orders last 10m')
  await until(() => before.told(amara).length === 2)
  expect(before.told(amara)[1]).toContain('I read the whole last hour all the same')
  expect(before.inputs()).toMatchObject([{ thorough: true }, { kind: 'command' }])
})

describe('who may ask where', () => {
  test.each<[string, string, string, string]>([
    ['in a channel that its owners did not name', 'payments', amara, 'Please ask about payments in <#C0DATA>'],
    ['as a guest', 'orders', 'U0EVE', 'Guests may read along'],
  ])('%s: refused, to the asker alone', async (_, pipeline, user, says) => {
    const before = await openApp()
    await type(before, `/headwater diagnose ${pipeline}`, user)
    expect(before.told(user)).toEqual([expect.stringContaining(says)])
    expect(before.inputs()).toEqual([])
    expect(before.stand.observer.messages()).toEqual([])
  })

  test('from another workspace, in a shared channel that is named: refused; its own people may', async () => {
    const before = await openApp({ audiences: [audience('orders', { channels: [channel, 'C0PARTNER'] })] })
    await type(before, '/headwater diagnose orders', 'U0FINN', 'C0PARTNER')
    expect(before.told('U0FINN')).toEqual([expect.stringContaining('You belong to another workspace')])
    await type(before, '/headwater diagnose orders', amara, 'C0PARTNER')
    expect(before.inputs()).toMatchObject([{ channel: 'C0PARTNER', by: { user: amara } }])
  })

  test('in a shared channel that is not named: refused', async () => {
    const before = await openApp()
    await type(before, '/headwater diagnose orders', amara, 'C0PARTNER')
    expect(before.told(amara)).toEqual([expect.stringContaining('Please ask about orders in <#C0INCIDENTS>')])
    expect(before.inputs()).toEqual([])
  })

  test('as an app, or by an edit of what was said before: not heard', async () => {
    const before = await openApp()
    const event = {
      type: 'app_mention',
      user: amara,
      channel,
      ts: '1.1',
      event_ts: '1.1',
      text: `<@${demoApp.botUserId}> diagnose orders`,
      team,
    }
    before.stand.observer.fire({ ...event, bot_id: 'B0OTHER00' })
    before.stand.observer.fire({ ...event, edited: { user: amara, ts: '1.2' } })
    before.stand.observer.fire({ ...event, ts: '2.1' })
    await until(() => before.inputs().length > 0)
    expect(before.inputs().map((one) => one.key)).toEqual([`mention/${team}/${channel}/2.1`])
  })

  test('while Slack does not say who somebody is: nothing is done, and that is said', async () => {
    const before = await openApp()
    before.stand.faults.add({ on: 'users.info', fault: { kind: 'status', status: 500, after: 'nothing' } })
    await type(before, '/headwater diagnose orders')
    expect(before.told(amara)).toEqual([expect.stringContaining('did not tell me who you are')])
    await type(before, '/headwater diagnose orders')
    expect(before.inputs()).toHaveLength(1)
    expect(before.stand.observer.calls('users.info')).toHaveLength(2)
  })

  test('somebody is looked up once, however often he asks', async () => {
    const before = await openApp()
    for (let i = 0; i < 5; i++) await type(before, '/headwater help')
    expect(before.stand.observer.calls('users.info')).toHaveLength(1)
  })
})

describe('where the app is not in the channel', () => {
  const data = [audience('orders', { channels: [channel, 'C0DATA', 'G0PRIVATE'] })]

  test('it joins a public one by itself, and what waited for that is told', async () => {
    const before = await openApp({ audiences: data })
    await type(before, '/headwater diagnose orders', amara, 'C0DATA')
    await until(() => before.inputs().length === 2)
    expect(before.inputs()).toMatchObject([{ kind: 'command' }, { kind: 'admitted', pipeline: 'orders', channel: 'C0DATA' }])
    expect(before.told(amara)).toHaveLength(1)
  })

  test.each<[string, string, string, readonly string[]]>([
    ['a private one', 'U0BEN', 'G0PRIVATE', demoApp.scopes],
    ['a public one that it may not join', amara, 'C0DATA', demoApp.scopes.filter((one) => one !== 'channels:join')],
  ])('%s: the asker alone reads how to let it in; the diagnosis runs', async (_, user, where, scopes) => {
    const before = await openApp({ audiences: data, stand: { app: { ...demoApp, scopes } } })
    await type(before, '/headwater diagnose orders', user, where)
    await until(() => before.told(user).length === 1)
    expect(before.told(user)).toEqual([expect.stringContaining('/invite @headwater')])
    expect(before.inputs()).toMatchObject([{ kind: 'command', channel: where }])
    before.stand.observer.invite(where, demoApp.botUserId)
    await until(() => before.inputs().length === 2)
    expect(before.inputs()[1]).toMatchObject({ kind: 'admitted', pipeline: 'orders', channel: where })
  })

  test('the one for alerts of no pipeline is entered at the start, and a private one when somebody invites it', async () => {
    const open = await openApp({ app: { unmappedChannel: 'C0DATA' } })
    await until(() => open.stand.workspace.channels.get('C0DATA')!.members.has(demoApp.botUserId))
    const closed = await openApp({ app: { unmappedChannel: 'G0PRIVATE' } })
    await until(() => closed.log.some((line) => line.includes('invite it there') && line.includes('G0PRIVATE')))
    closed.stand.observer.invite('G0PRIVATE', demoApp.botUserId)
    await until(() => closed.inputs().length === 1)
    expect(closed.inputs()).toMatchObject([{ kind: 'admitted', pipeline: noPipeline, channel: 'G0PRIVATE' }])
  })

  test('of other people who join it takes no notice', async () => {
    const before = await openApp()
    before.stand.observer.invite(channel, 'U0FINN')
    await type(before, '/headwater diagnose orders')
    expect(before.inputs().map((one) => one.kind)).toEqual(['command'])
  })

  test('an alert’s channel is entered at the start, or said in the log', async () => {
    const there = [
      audience('a', { channel: 'C0DATA', channels: ['C0DATA'] }),
      audience('b', { channel: 'G0PRIVATE', channels: ['G0PRIVATE'] }),
    ]
    const before = await openApp({ audiences: there })
    await until(() => before.log.some((line) => line.includes('invite it there')))
    expect(before.stand.workspace.channels.get('C0DATA')!.members.has(demoApp.botUserId)).toBe(true)
    expect(before.log.filter((line) => line.includes('invite it there')).join('')).toContain('G0PRIVATE')
  })
})

describe('what else can be asked', () => {
  const shown = ({ stand }: Before): string => JSON.stringify(stand.observer.shownOnlyTo(amara).at(-1)!.now.blocks)

  test('help, and what nobody understands', async () => {
    const before = await openApp()
    await type(before, '/headwater help')
    expect(shown(before)).toContain('/headwater diagnose <pipeline> last 2h')
    await type(before, '/headwater diagnose ordersss')
    expect(before.told(amara)[1]).toContain('Did you mean: diagnose orders?')
    await type(before, '/headwater <!channel> <https://evil.test|x>')
    expect(before.told(amara)[2]).not.toMatch(/<!|<h/)
    expect(before.inputs()).toEqual([])
  })

  test('the state of the pipelines of this channel, and of no other', async () => {
    const others = Array.from({ length: 60 }, (_, i) => audience(`other-${i}`, { channels: ['C0DATA'] }))
    const before = await openApp({ audiences: [audience('orders'), audience('payments', { channels: ['C0DATA'] }), ...others] })
    before.store.open.push(incident('i-1'), incident('i-2', { pipeline: 'payments' }))
    await type(before, '/headwater status')
    expect(before.told(amara)[0]).toContain('1 of 1 pipelines has an open incident')
    expect(shown(before)).toContain('being looked at, open since ')
    expect(shown(before)).not.toContain('payments')
    // However many others changed since.
    before.store.open.unshift(...Array.from({ length: 60 }, (_, i) => incident(`i-o${i}`, { pipeline: `other-${i}` })))
    await type(before, '/headwater status')
    expect(before.told(amara)[1]).toContain('1 of 1 pipelines has an open incident')
    await type(before, '/headwater status payments')
    expect(before.told(amara)[2]).toContain('Please ask about payments in <#C0DATA>')
  })
})
