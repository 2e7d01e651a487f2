/**
 * Slack's own packages against the stand-in: what they ask and how they read the answers is not ours to decide, so what works here
 * with the real @slack/web-api and @slack/bolt is shaped as they expect it.
 */
import { App } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import { ErrorCode, WebClient } from '@slack/web-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { demoApp } from '../../src/demo/slack/settings.ts'
import type { Options, StandIn } from '../../src/demo/slack/stand-in.ts'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import { PNG } from '../demo/slack/open-stand-in.ts'
import { clientOptions, furnish, silent, socketApp } from '../fakes/bolt-app.ts'

const CHANNEL = 'C0INCIDENTS'

async function standIn(options: Options = {}): Promise<StandIn> {
  const stand = await startStandIn({ rateLimits: false, ...options })
  onTestFinished(() => stand.close())
  return stand
}

function client(stand: StandIn, options: WebClientOptions = {}): WebClient {
  return new WebClient(demoApp.botToken, { slackApiUrl: stand.apiUrl, retryConfig: { retries: 0 }, logger: silent, ...options })
}

describe('@slack/web-api', () => {
  test('posts, edits, finds with metadata, links, deletes', async () => {
    const web = client(await standIn())
    const metadata = { event_type: 'headwater_message', event_payload: { slot: 'home', edition: 1 } }
    const { ts } = await web.chat.postMessage({ channel: CHANNEL, text: 'a', blocks: [{ type: 'divider' }], metadata })
    await web.chat.update({ channel: CHANNEL, ts: ts!, text: 'b' })
    const { messages } = await web.conversations.history({ channel: CHANNEL, include_all_metadata: true, limit: 15 })
    expect(messages).toMatchObject([{ ts, text: 'b', metadata }])
    expect((await web.chat.getPermalink({ channel: CHANNEL, message_ts: ts! })).permalink).toContain(`/archives/${CHANNEL}/p`)
    await web.chat.delete({ channel: CHANNEL, ts: ts! })
    expect((await web.conversations.history({ channel: CHANNEL })).messages).toEqual([])
  })

  test('reads scopes from the headers, and what is wrong with blocks from the answer', async () => {
    const web = client(await standIn())
    expect((await web.auth.test()).response_metadata?.scopes).toContain('chat:write')
    const wrong = web.chat.postMessage({
      channel: CHANNEL,
      text: 'a',
      blocks: [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }],
    })
    await expect(wrong).rejects.toMatchObject({
      code: ErrorCode.PlatformError,
      data: {
        error: 'invalid_blocks',
        response_metadata: { messages: ['[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]'] },
      },
    })
  })

  test('walks through pages', async () => {
    const stand = await standIn()
    const web = client(stand)
    for (let count = 0; count < 5; count++) stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: `${count}` })
    const texts: unknown[] = []
    for await (const page of web.paginate('conversations.history', { channel: CHANNEL, limit: 2 })) {
      texts.push(...(page as unknown as { messages: { text: string }[] }).messages.map((one) => one.text))
    }
    expect(texts).toEqual(['4', '3', '2', '1', '0'])
  })

  test('uploads a file in three steps', async () => {
    const stand = await standIn()
    await client(stand).filesUploadV2({ file: Buffer.from(PNG), filename: 'a.png', channel_id: CHANNEL })
    const [file] = stand.workspace.files.values()
    expect(file!.bytes).toEqual(PNG)
    expect(await stand.observer.until(() => stand.observer.messages(CHANNEL).length === 1)).toBe(true)
  })

  test.each([
    ['429', { kind: 'rate_limit', seconds: 9 }, { code: ErrorCode.RateLimitedError, retryAfter: 9 }, 0],
    ['500 after posting', { kind: 'status', status: 500, after: 'work' }, { code: ErrorCode.HTTPError, statusCode: 500 }, 1],
    ['a torn connection after posting', { kind: 'cut', after: 'work' }, { code: ErrorCode.RequestError }, 1],
    ['a redirect', { kind: 'status', status: 302, after: 'nothing' }, { code: ErrorCode.RequestError }, 0],
    ['a page instead of an answer', { kind: 'html', after: 'work' }, { code: ErrorCode.PlatformError }, 1],
  ] as const)('sees %s', async (_, fault, error, posts) => {
    const stand = await standIn()
    stand.faults.add({ on: 'chat.postMessage', fault })
    const web = client(stand, { rejectRateLimitedCalls: true })
    await expect(web.chat.postMessage({ channel: CHANNEL, text: 'a' })).rejects.toMatchObject(error)
    expect(stand.observer.messages(CHANNEL)).toHaveLength(posts)
  })

  test('posts twice by itself where its own retry meets a lost answer', async () => {
    const stand = await standIn()
    stand.faults.add({ on: 'chat.postMessage', fault: { kind: 'status', status: 500, after: 'work' } })
    await client(stand, { retryConfig: { retries: 1, minTimeout: 1, maxTimeout: 1 } }).chat.postMessage({ channel: CHANNEL, text: 'a' })
    expect(stand.observer.messages(CHANNEL)).toHaveLength(2)
  })
})

/** The whole way, as a person goes it. */
async function walk(stand: StandIn, heard: readonly string[]): Promise<void> {
  const { observer } = stand
  await observer.type({ user: 'U0AMARA', channel: CHANNEL, line: '/headwater diagnose orders' })
  expect(await observer.until(() => observer.messages(CHANNEL).length === 1 && observer.shownOnlyTo('U0AMARA').length === 1)).toBe(true)
  expect(observer.shownOnlyTo('U0AMARA')[0]!.now.text).toBe('looking')
  const { ts } = observer.messages(CHANNEL)[0]!
  await observer.press({ user: 'U0BEN', in: { channel: CHANNEL, ts }, on: 'Decline' })
  expect(await observer.until(() => observer.modal('U0BEN') !== null)).toBe(true)
  await observer.submit('U0BEN', { reason: 'no' })
  expect(observer.modal('U0BEN')!.errors).toEqual({ why: 'Say more' })
  await observer.submit('U0BEN', { reason: 'too wide' })
  expect(observer.modal('U0BEN')).toBeNull()
  expect(await observer.until(() => observer.messages(CHANNEL)[0]!.now.text === 'declined: too wide')).toBe(true)
  const asked = observer.say({ user: 'U0AMARA', channel: CHANNEL, text: '@headwater status' })
  expect(await observer.until(() => observer.messages(CHANNEL).some((one) => one.threadTs === asked && one.now.text === 'here'))).toBe(true)
  expect(heard).toEqual(['command diagnose orders', `mention <@${demoApp.botUserId}> status`])
}

describe('@slack/bolt over HTTP', () => {
  async function httpApp(stand: StandIn, signingSecret: string): Promise<{ readonly heard: string[] }> {
    const app = new App({
      token: demoApp.botToken,
      signingSecret,
      deferInitialization: true,
      logger: silent,
      clientOptions: clientOptions(stand),
    })
    await app.init()
    const furnished = furnish(app)
    const server = (await app.start({ port: 0, host: '127.0.0.1' })) as import('node:http').Server
    onTestFinished(async () => {
      server.closeAllConnections()
      await app.stop()
    })
    const { port } = server.address() as import('node:net').AddressInfo
    const events = `http://127.0.0.1:${port}/slack/events`
    stand.deliverTo({ commands: events, interactivity: events, events })
    return furnished
  }

  test('goes the whole way', async () => {
    const stand = await standIn()
    await walk(stand, (await httpApp(stand, demoApp.signingSecret)).heard)
  })

  test('refuses what is signed with another secret', async () => {
    const stand = await standIn()
    const { heard } = await httpApp(stand, 'another secret')
    await stand.observer.type({ user: 'U0AMARA', channel: CHANNEL, line: '/headwater help' })
    expect(stand.observer.shownOnlyTo('U0AMARA')[0]!.now.text).toContain('dispatch_failed')
    expect(heard).toEqual([])
  })
})

describe('@slack/bolt in Socket Mode', () => {
  test('goes the whole way', async () => {
    const stand = await standIn()
    const app = await socketApp(stand)
    await app.start()
    await walk(stand, app.heard)
  })

  test.each(['refresh_requested', 'drop'] as const)('comes back after: %s', async (how) => {
    const stand = await standIn()
    const app = await socketApp(stand)
    await app.start()
    if (how === 'drop') stand.socket.drop()
    else stand.socket.disconnect(how)
    const opened = (): number => stand.observer.calls('apps.connections.open').length
    expect(await stand.observer.until(() => opened() === 2 && stand.socket.connections() === 1)).toBe(true)
    await walk(stand, app.heard)
  })

  test('an event in a frame that broke comes again, once', async () => {
    const stand = await standIn()
    const app = await socketApp(stand)
    await app.start()
    stand.faults.add(
      { on: 'deliver.events_api', fault: { kind: 'tear' } },
      { on: 'deliver.events_api', fault: { kind: 'late', ms: 1_500 } },
    )
    stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: '@headwater' })
    expect(await stand.observer.until(() => app.heard.length > 0)).toBe(true)
    const tries = (): number[] => stand.observer.delivered().map((one) => one.parcel.retry?.num ?? 0)
    expect(await stand.observer.until(() => tries().length === 2)).toBe(true)
    expect(tries()).toEqual([0, 1])
    expect(app.heard).toHaveLength(1)
  })

  test('never starts where hello is never said', async () => {
    const stand = await standIn()
    stand.faults.add({ on: 'socket.hello', fault: { kind: 'silence' }, times: 100 })
    const app = await socketApp(stand)
    let started = false
    void app.start().then(
      () => {
        started = true
      },
      () => undefined,
    )
    expect(await stand.observer.until(() => started, 700)).toBe(false)
  })
})
