/** Who knocks, and how the connection behaves: signatures and bodies over HTTP, ends and silences in Socket Mode, stopping in both. */
import { createHmac } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { demoApp } from '../../src/demo/slack/settings.ts'
import type { Before } from '../build/slack-app.ts'
import { access, channel, modes, openApp, openStand, team } from '../build/slack-app.ts'

const until = async (holds: () => boolean): Promise<void> => vi.waitUntil(holds, { timeout: 4_000, interval: 5 }).then(() => undefined)
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString()
const command = form({
  command: '/headwater',
  text: 'diagnose orders',
  team_id: team,
  user_id: 'U0AMARA',
  channel_id: channel,
  trigger_id: '1.2.3',
})

function headers(body: string, more: { readonly secret?: string; readonly atS?: number } = {}): Record<string, string> {
  const atS = more.atS ?? Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', more.secret ?? demoApp.signingSecret)
    .update(`v0:${atS}:${body}`)
    .digest('hex')
  const type = 'application/x-www-form-urlencoded'
  return { 'content-type': type, 'x-slack-request-timestamp': String(atS), 'x-slack-signature': `v0=${signature}` }
}

const send = ({ url }: Before, body: string, sent: Record<string, string>, path = '') =>
  fetch(`${url}${path}`, { method: 'POST', body, headers: sent })
const nowS = (): number => Math.floor(Date.now() / 1000)

describe('a request over HTTP', () => {
  test('that Slack signed is taken', async () => {
    const before = await openApp({ mode: 'http' })
    const answer = await send(before, command, headers(command))
    expect([answer.status, before.inputs().length]).toEqual([200, 1])
    await until(() => before.told('U0AMARA').length > 0)
    // Once it is known that we are in the channel, the answer travels with the acknowledgement.
    const again = await send(before, command, headers(command))
    expect(await again.json()).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('I am looking at orders') as string,
    })
  })

  test.each<[string, number, () => { body: string; sent: Record<string, string>; path?: string }]>([
    ['signed with another secret', 401, () => ({ body: command, sent: headers(command, { secret: 'another' }) })],
    ['signed for another body', 401, () => ({ body: command, sent: headers(`${command}&x=1`) })],
    ['as old as six minutes', 401, () => ({ body: command, sent: headers(command, { atS: nowS() - 360 }) })],
    ['without a signature', 401, () => ({ body: command, sent: { 'content-type': 'application/x-www-form-urlencoded' } })],
    [
      'with two signatures in one',
      401,
      () => ({ body: command, sent: { ...headers(command), 'x-slack-signature': `${headers(command)['x-slack-signature']},v0=00` } }),
    ],
    ['of half a megabyte and more', 413, () => ({ body: 'x'.repeat(600_000), sent: headers('x') })],
    ['to another path', 404, () => ({ body: command, sent: headers(command), path: '/other' })],
    ['with a payload that is no JSON', 400, () => ({ body: form({ payload: '{"a"' }), sent: headers(form({ payload: '{"a"' })) })],
  ])('%s is refused with %i, and nothing is kept', async (_, status, make) => {
    const before = await openApp({ mode: 'http' })
    const { body, sent, path } = make()
    const answer = await send(before, body, sent, path)
    expect(answer.status).toBe(status)
    expect(before.inputs()).toEqual([])
    expect(before.log.join('')).not.toContain(demoApp.signingSecret)
  })

  test('deeper than any that Slack sends does not harm', async () => {
    const before = await openApp({ mode: 'http' })
    const body = form({ payload: `${'['.repeat(50_000)}${']'.repeat(50_000)}` })
    expect((await send(before, body, headers(body))).status).toBeGreaterThanOrEqual(400)
    expect((await send(before, command, headers(command))).status).toBe(200)
  })
})

describe('a token that Slack does not take', () => {
  test.each([
    ['the bot token', access('socket', { botToken: 'xoxb-wrong' }), 'bot token'],
    ['the app-level token', access('socket', { connection: { mode: 'socket', appToken: 'xapp-wrong' } }), 'app-level token'],
    ['one of another workspace', access('socket', { team: 'T0OTHER' }), 'T0OTHER'],
  ])('%s: said at once, and by its name', async (_, wrong, says) => {
    await expect(openApp({ app: { access: wrong } })).rejects.toMatchObject({
      code: 'slack_refused',
      message: expect.stringContaining(says),
    })
  })
})

describe('in Socket Mode', () => {
  const ask = ({ stand }: Before) => stand.observer.type({ user: 'U0AMARA', channel, line: '/headwater diagnose orders' })

  test('when Slack announces an end, the next connection is there before the old one is gone', async () => {
    const before = await openApp()
    let least = 9
    const watch = setInterval(() => {
      least = Math.min(least, before.stand.socket.connections())
    }, 1)
    before.stand.socket.disconnect('refresh_requested')
    await until(() => before.stand.observer.calls('apps.connections.open').length === 2 && before.stand.socket.connections() === 2)
    await until(() => before.stand.socket.connections() === 1)
    clearInterval(watch)
    expect(least).toBe(1)
    await ask(before)
    expect(before.inputs()).toHaveLength(1)
  })

  test('a connection that breaks is made again at once', async () => {
    const before = await openApp()
    const began = Date.now()
    before.stand.socket.drop()
    await until(() => before.stand.socket.connections() === 1)
    expect(Date.now() - began).toBeLessThan(1_000)
    await ask(before)
    expect(before.inputs()).toHaveLength(1)
  })

  test('while Slack fails it goes on trying, says that it is not ready, and is back when Slack is', async () => {
    let skewMs = 0
    const before = await openApp({ app: { nowMs: () => Date.now() + skewMs } })
    expect(await before.app.check()).toBeNull()
    before.stand.faults.add({ on: 'apps.connections.open', fault: { kind: 'status', status: 500, after: 'nothing' }, times: 4 })
    before.stand.socket.drop()
    await until(() => before.stand.faults.struck().length >= 2)
    expect(await before.app.check()).toBeNull()
    skewMs = 16_000
    expect(await before.app.check()).toBe('is not connected')
    await until(() => before.stand.socket.connections() === 1)
    await until(() => before.log.some((line) => line.includes('no connection to Slack')))
    await vi.waitUntil(async () => (await before.app.check()) === null, { timeout: 2_000, interval: 10 })
  })

  test('a connection on which nobody says hello is given up, and starting does not wait for ever', async () => {
    const stand = await openStand()
    stand.faults.add({ on: 'socket.hello', fault: { kind: 'silence' }, times: 2 })
    const before = await openApp({
      stand: { port: 0 },
      app: { apiUrl: stand.apiUrl, socket: { helloMs: 150, pingMs: 300, drainMs: 50, pauseMs: [10, 100] } },
    })
    await until(() => stand.observer.calls('apps.connections.open').length === 3)
    await vi.waitUntil(async () => (await before.app.check()) === null, { timeout: 2_000, interval: 10 })
  })

  test('an event whose frame breaks comes again and is one question', async () => {
    const before = await openApp()
    before.stand.faults.add(
      { on: 'deliver.events_api', fault: { kind: 'tear' } },
      { on: 'deliver.events_api', fault: { kind: 'late', ms: 300 } },
    )
    before.stand.observer.say({ user: 'U0AMARA', channel, text: '@headwater diagnose orders' })
    await until(() => before.inputs().length === 1)
  })

  test('an acknowledgement that is lost changes nothing', async () => {
    const before = await openApp()
    before.stand.faults.add({ on: 'deliver.events_api', fault: { kind: 'lose_ack' } })
    before.stand.observer.say({ user: 'U0AMARA', channel, text: '@headwater diagnose orders' })
    await vi.waitUntil(() => [...before.store.inputs.values()].some((one) => one.deliveries === 2), { timeout: 6_000, interval: 10 })
    expect(before.inputs()).toHaveLength(1)
    expect(before.told('U0AMARA')).toHaveLength(1)
  })
})

describe.each(modes)('stopping over %s', (mode) => {
  test('waits for what is under way, and no longer than it may', async () => {
    const before = await openApp({ mode })
    const { promise, resolve } = Promise.withResolvers<void>()
    before.store.before = () => promise
    const typed = before.stand.observer.type({ user: 'U0AMARA', channel, line: '/headwater diagnose orders' })
    await until(() => before.stand.observer.calls('users.info').length === 1)
    const closed = before.app.close(3_000).then(() => before.inputs().length)
    await new Promise((later) => setTimeout(later, 100))
    resolve()
    expect(await closed).toBe(1)
    expect(await typed).toMatchObject({ kind: 'acknowledged' })
  })

  test('gives up on what does not end', async () => {
    const before = await openApp({ mode })
    before.store.mode = 'hangs'
    void before.stand.observer.type({ user: 'U0AMARA', channel, line: '/headwater diagnose orders' })
    await until(() => before.stand.observer.calls('users.info').length === 1)
    const began = Date.now()
    await before.app.close(200)
    expect(Date.now() - began).toBeLessThan(800)
    expect(before.log.join('')).toContain('stopped in the middle')
  })
})
