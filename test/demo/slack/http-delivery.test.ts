/** What Slack brings to an app over HTTP: signed, in time, again where it must, and what the person sees when nobody answers. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Fields } from '../../../src/demo/slack/json.ts'
import { demoApp } from '../../../src/demo/slack/settings.ts'
import type { Reply, Request } from './listening-app.ts'
import { payloadOf, withApp } from './listening-app.ts'
import type { Stand } from './open-stand-in.ts'
import { CHANNEL, openStandIn, START_MS } from './open-stand-in.ts'

const ok = (): Reply => ({ status: 200 })
const type = { user: 'U0AMARA', channel: CHANNEL, line: '/headwater diagnose orders' }
const buttons = [
  {
    type: 'actions',
    block_id: 'act',
    elements: [{ type: 'button', action_id: 'approve', value: 'p1', text: { type: 'plain_text', text: 'Approve' } }],
  },
]
const privately = (stand: Stand): string[] => stand.observer.shownOnlyTo('U0AMARA').map((one) => one.now.text)

describe('a slash command', () => {
  test('comes as a form, signed with the secret and the time', async () => {
    const stand = await withApp(ok)
    await stand.observer.type(type)
    const [request] = stand.got
    expect(request!.path).toBe('/commands')
    expect(request!.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(request!.headers['x-slack-request-timestamp']).toBe(String(START_MS / 1000))
    const hex = createHmac('sha256', demoApp.signingSecret)
      .update(`v0:${START_MS / 1000}:${request!.body}`)
      .digest('hex')
    expect(request!.headers['x-slack-signature']).toBe(`v0=${hex}`)
    const form = Object.fromEntries(new URLSearchParams(request!.body))
    expect(form).toMatchObject({
      command: '/headwater',
      text: 'diagnose orders',
      user_id: 'U0AMARA',
      channel_id: CHANNEL,
      is_enterprise_install: 'false',
    })
  })

  test.each<[what: string, answer: () => Reply | null, seen: string[], inChannel: number]>([
    ['nothing', ok, [], 0],
    ['a text', () => ({ status: 200, body: 'looking', headers: { 'content-type': 'text/plain' } }), ['looking'], 0],
    [
      'JSON for the channel',
      () => ({
        status: 200,
        body: JSON.stringify({ response_type: 'in_channel', text: 'looking' }),
        headers: { 'content-type': 'application/json' },
      }),
      [],
      1,
    ],
    ['an error', () => ({ status: 500 }), ['/headwater failed with the error "dispatch_failed"'], 0],
  ])('answered with %s', async (_, answer, seen, inChannel) => {
    const stand = await withApp(answer)
    await stand.observer.type(type)
    expect(privately(stand)).toEqual(seen)
    expect(stand.observer.messages(CHANNEL)).toHaveLength(inChannel)
  })

  test('not answered within 3 s, and it is not brought again', async () => {
    const stand = await withApp(() => null)
    const typed = stand.observer.type(type)
    await stand.observer.until(() => stand.got.length === 1)
    await stand.clock.advance(3_000)
    await typed
    expect(privately(stand)).toEqual(['/headwater failed with the error "operation_timeout"'])
    await stand.clock.advance(400_000)
    expect(stand.got).toHaveLength(1)
  })

  test('names people and channels by their ids where the manifest asks for it', async () => {
    const stand = await withApp(ok, { app: { ...demoApp, escapesCommands: true } })
    await stand.observer.type({ ...type, line: '/headwater ask @ben in #inc-orders, not @nobody' })
    expect(new URLSearchParams(stand.got[0]!.body).get('text')).toBe('ask <@U0BEN|ben> in <#C0INCIDENTS|inc-orders>, not @nobody')
  })

  test('with no app at its address', async () => {
    const stand = await openStandIn()
    const nobody = 'http://127.0.0.1:9/slack/events'
    stand.deliverTo({ commands: nobody, interactivity: nobody, events: nobody })
    await stand.observer.type(type)
    expect(privately(stand)).toEqual(['/headwater failed with the error "dispatch_failed"'])
  })

  test('of another app, or in a thread, does not reach this one', async () => {
    const stand = await withApp(ok)
    const ts = await stand.post()
    await stand.observer.type({ ...type, line: '/other thing' })
    await stand.observer.type({ ...type, threadTs: ts })
    expect(stand.got).toEqual([])
    expect(privately(stand)).toEqual([
      expect.stringContaining('is not a valid command'),
      '`/headwater` is not supported in threads. Sorry!',
    ])
  })
})

describe('a button', () => {
  test('brings the message, the value and a way to answer', async () => {
    const stand = await withApp(ok)
    const ts = await stand.post({ blocks: buttons, metadata: { event_type: 't', event_payload: { slot: 's' } } })
    await stand.observer.press({ user: 'U0BEN', in: { channel: CHANNEL, ts }, on: 'Approve' })
    expect(stand.got[0]!.path).toBe('/interactive')
    expect(payloadOf(stand.got[0])).toMatchObject({
      type: 'block_actions',
      user: { id: 'U0BEN', team_id: 'T0STANDIN' },
      container: { type: 'message', message_ts: ts, channel_id: CHANNEL, is_ephemeral: false },
      message: { ts, metadata: { event_payload: { slot: 's' } } },
      actions: [{ type: 'button', action_id: 'approve', block_id: 'act', value: 'p1' }],
    })
  })

  test('of a message that has changed, is gone, or that the person cannot see, cannot be pressed', async () => {
    const stand = await withApp(ok)
    const ts = await stand.post({ blocks: buttons })
    const press = (user: string) => stand.observer.press({ user, in: { channel: CHANNEL, ts }, on: 'approve' })
    expect(await press('U0FINN')).toBeNull()
    await stand.call('chat.update', { channel: CHANNEL, ts, text: 'decided' })
    expect(await press('U0BEN')).toBeNull()
    stand.observer.deleteMessage(CHANNEL, ts)
    expect(await press('U0BEN')).toBeNull()
    expect(stand.got).toEqual([])
  })

  test('a menu brings what was picked', async () => {
    const stand = await withApp(ok)
    const option = (value: string): Fields => ({ text: { type: 'plain_text', text: value }, value })
    const ts = await stand.post({
      blocks: [{ type: 'actions', elements: [{ type: 'static_select', action_id: 'window', options: [option('1h'), option('2h')] }] }],
    })
    await stand.observer.press({ user: 'U0BEN', in: { channel: CHANNEL, ts }, on: 'window', values: ['2h'] })
    expect(payloadOf(stand.got[0]).actions).toMatchObject([
      { type: 'static_select', action_id: 'window', selected_option: { value: '2h' } },
    ])
  })
})

describe('response_url', () => {
  const answer = async (url: unknown, body: Fields): Promise<Response> =>
    await fetch(String(url), { method: 'POST', body: JSON.stringify(body) })
  const urlOf = (request: Request | undefined): string => new URLSearchParams(request!.body).get('response_url')!

  test('five answers, then used_url', async () => {
    const stand = await withApp(ok)
    await stand.observer.type(type)
    const url = urlOf(stand.got[0])
    for (let use = 0; use < 5; use++) expect((await answer(url, { text: `${use}` })).status).toBe(200)
    const sixth = await answer(url, { text: '5' })
    expect(sixth.status).toBe(404)
    expect(await sixth.json()).toEqual({ ok: false, error: 'used_url' })
    expect(privately(stand)).toEqual(['0', '1', '2', '3', '4'])
  })

  test('no answer after 30 minutes', async () => {
    const stand = await withApp(ok)
    await stand.observer.type(type)
    await stand.clock.advance(30 * 60_000 + 1)
    const late = await answer(urlOf(stand.got[0]), { text: 'late' })
    expect(await late.json()).toEqual({ ok: false, error: 'expired_url' })
  })

  test('it is the only way to change an ephemeral message', async () => {
    const stand = await withApp(ok)
    const { message_ts: ts } = await stand.call('chat.postEphemeral', { channel: CHANNEL, user: 'U0AMARA', text: 'sure?', blocks: buttons })
    await stand.observer.press({ user: 'U0AMARA', in: { channel: CHANNEL, ts: String(ts) }, on: 'approve' })
    const payload = payloadOf(stand.got[0])
    expect(payload).toMatchObject({ container: { is_ephemeral: true } })
    expect(payload).not.toHaveProperty('message')
    await answer(payload.response_url, { replace_original: true, text: 'done' })
    expect(privately(stand)).toEqual(['done'])
    await answer(payload.response_url, { delete_original: true })
    expect(stand.observer.shownOnlyTo('U0AMARA')[0]!.deleted).toBe(true)
  })

  test.each([
    [{ kind: 'cut', after: 'work' }, 'no answer', 1],
    [{ kind: 'status', status: 500, after: 'nothing' }, 500, 0],
    [{ kind: 'rate_limit', seconds: 1 }, 429, 0],
  ] as const)('%o', async (fault, expected, said) => {
    const stand = await withApp(ok)
    await stand.observer.type(type)
    stand.faults.add({ on: 'response_url', fault })
    const answered = await answer(urlOf(stand.got[0]), { text: 'x' }).then(
      (response) => response.status,
      () => 'no answer',
    )
    expect(answered).toBe(expected)
    expect(privately(stand)).toHaveLength(said)
  })

  test('blocks are checked there too, and errors come as text', async () => {
    const stand = await withApp(ok)
    await stand.observer.type(type)
    const wrong = await answer(urlOf(stand.got[0]), { blocks: [{ type: 'nonsense' }] })
    expect([wrong.status, await wrong.text()]).toEqual([400, 'invalid_blocks'])
  })
})

describe('an event', () => {
  const mention = { user: 'U0AMARA', channel: CHANNEL, text: '@headwater diagnose orders' }

  test('of a mention reaches the app where it is in the channel', async () => {
    const stand = await withApp(ok)
    const ts = stand.observer.say(mention)
    await stand.observer.until(() => stand.got.length > 0)
    expect(stand.got).toHaveLength(1)
    expect(JSON.parse(stand.got[0]!.body)).toMatchObject({
      type: 'event_callback',
      api_app_id: demoApp.id,
      event: { type: 'app_mention', user: 'U0AMARA', ts, text: `<@${demoApp.botUserId}> diagnose orders` },
    })
    stand.observer.say({ ...mention, channel: 'C0DATA' })
    await stand.clock.advance(1_000)
    expect(stand.got).toHaveLength(1)
  })

  test('of joining a channel tells that the app was let in', async () => {
    const stand = await withApp(ok)
    stand.observer.invite('G0PRIVATE', demoApp.botUserId)
    await stand.observer.until(() => stand.got.length > 0)
    expect(JSON.parse(stand.got[0]!.body)).toMatchObject({
      event: { type: 'member_joined_channel', user: demoApp.botUserId, channel: 'G0PRIVATE' },
    })
  })

  test('is tried again at once, after a minute and after five, with the same id; then no more', async () => {
    const stand = await withApp(() => ({ status: 500 }))
    stand.observer.say(mention)
    const came = async (count: number): Promise<void> => {
      await stand.observer.until(() => stand.got.length === count)
    }
    await came(1)
    await stand.clock.advance(0)
    await came(2)
    await stand.clock.advance(60_000)
    await came(3)
    await stand.clock.advance(300_000)
    await came(4)
    await stand.clock.advance(3_600_000)
    expect(stand.got.map((one) => one.headers['x-slack-retry-num'])).toEqual([undefined, '1', '2', '3'])
    expect(stand.got[1]!.headers['x-slack-retry-reason']).toBe('http_error')
    expect(new Set(stand.got.map((one) => (JSON.parse(one.body) as Fields).event_id)).size).toBe(1)
  })

  test('is left alone where the app asks for no retry', async () => {
    const stand = await withApp(() => ({ status: 500, headers: { 'x-slack-no-retry': '1' } }))
    stand.observer.say(mention)
    await stand.observer.until(() => stand.got.length === 1)
    await stand.clock.advance(600_000)
    expect(stand.got).toHaveLength(1)
  })
})

describe('on the way', () => {
  test('doubled: the app gets the same command twice', async () => {
    const stand = await withApp(ok)
    stand.faults.add({ on: 'deliver.slash_commands', fault: { kind: 'double' } })
    await stand.observer.type(type)
    expect(stand.got).toHaveLength(2)
    expect(stand.got[0]!.body).toBe(stand.got[1]!.body)
  })

  test('reordered: the first arrives after the second', async () => {
    const stand = await withApp(ok)
    stand.faults.add({ on: 'deliver.*', fault: { kind: 'after_next' } })
    const first = stand.observer.type({ ...type, line: '/headwater first' })
    await stand.observer.type({ ...type, line: '/headwater second' })
    await first
    expect(stand.got.map((one) => new URLSearchParams(one.body).get('text'))).toEqual(['second', 'first'])
  })

  test('late: the person is told of a time-out, the app gets it all the same', async () => {
    const stand = await withApp(ok)
    stand.faults.add({ on: 'deliver.*', fault: { kind: 'late', ms: 60_000 } })
    const typed = stand.observer.type(type)
    await stand.clock.advance(3_000)
    await typed
    expect(privately(stand)).toEqual(['/headwater failed with the error "operation_timeout"'])
    await stand.clock.advance(57_000)
    expect(await stand.observer.until(() => stand.got.length === 1)).toBe(true)
  })

  test('lost acknowledgement: an event comes again', async () => {
    const stand = await withApp(ok)
    stand.faults.add({ on: 'deliver.events_api', fault: { kind: 'lose_ack' } })
    stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: '@headwater' })
    await stand.observer.until(() => stand.got.length === 1)
    await stand.clock.advance(3_000)
    expect(await stand.observer.until(() => stand.got.length === 2)).toBe(true)
  })

  test('dropped: it never arrives', async () => {
    const stand = await withApp(ok)
    stand.faults.add({ on: 'deliver.*', fault: { kind: 'drop' } })
    const typed = stand.observer.type(type)
    await stand.clock.advance(3_000)
    await typed
    expect(stand.got).toEqual([])
  })
})
