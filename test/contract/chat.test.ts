/** What a chat promises the workflow: each call is made once, and its outcome never claims more than is known. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CallFault } from '../../src/demo/slack/faults/fault.ts'
import type { Options, StandIn } from '../../src/demo/slack/stand-in.ts'
import { createLog } from '../../src/log.ts'
import { connectSlack } from '../../src/slack/connect.ts'
import type { Chat, Posting } from '../../src/workflow/incident-ports.ts'
import { access, channel, openStand } from '../build/slack-app.ts'
import { PNG } from '../demo/slack/open-stand-in.ts'

interface Open {
  readonly stand: StandIn
  readonly chat: Chat
  readonly log: readonly string[]
}

async function open(options: Options = {}, apiUrl?: string): Promise<Open> {
  const stand = await openStand(options)
  const log: string[] = []
  const { chat } = connectSlack({
    access: access('socket'),
    log: createLog({ write: (line) => log.push(line) }),
    nowMs: Date.now,
    apiUrl: apiUrl ?? stand.apiUrl,
    timeoutMs: 300,
  })
  return { stand, chat, log }
}

function posting(more: Partial<Posting> = {}): Posting {
  const body = [{ kind: 'answers', rows: [{ label: 'Where', text: 'partition 3' }] }] as const
  return { channel, threadTs: null, slot: 'i-1/home', edition: 1, text: 'orders: hot partition', body, picture: null, ...more }
}

async function posted({ chat }: Open, more: Partial<Posting> = {}): Promise<string> {
  const outcome = await chat.post(posting(more))
  if (outcome.kind !== 'done') throw new Error(`not posted: ${JSON.stringify(outcome)}`)
  return outcome.value.ts
}

const sinceMs = (): number => Date.now()
const refusal = (code: string, forGood: boolean, retryAfterMs: number | null = null) => ({ kind: 'refused', code, forGood, retryAfterMs })

describe('a post', () => {
  test('stands in the channel with text, blocks and the mark by which it is found', async () => {
    const all = await open()
    const ts = await posted(all)
    const [message] = all.stand.observer.messages(channel)
    expect(message).toMatchObject({
      ts,
      now: { text: 'orders: hot partition\nWhere: partition 3', metadata: { event_payload: { slot: 'i-1/home', edition: 1 } } },
    })
    const reply = await posted(all, { threadTs: ts, slot: 'i-1/home/details' })
    expect(all.stand.observer.messages(channel)[1]).toMatchObject({ ts: reply, threadTs: ts })
  })

  test.each<[string, CallFault, object, number]>([
    ['429', { kind: 'rate_limit', seconds: 7 }, refusal('ratelimited', false, 7_000), 0],
    ['500 after it was posted', { kind: 'status', status: 500, after: 'work' }, { kind: 'unknown' }, 1],
    ['503 before', { kind: 'status', status: 503, after: 'nothing' }, { kind: 'unknown' }, 0],
    ['a torn connection after it was posted', { kind: 'cut', after: 'work' }, { kind: 'unknown' }, 1],
    ['a torn connection before', { kind: 'cut', after: 'nothing' }, { kind: 'unknown' }, 0],
    ['no answer', { kind: 'hang', after: 'work' }, { kind: 'unknown' }, 1],
    ['an answer that is too late', { kind: 'late', ms: 600, after: 'work' }, { kind: 'unknown' }, 1],
    ['a page instead of an answer', { kind: 'html', after: 'work' }, { kind: 'unknown' }, 1],
    ['a redirect', { kind: 'status', status: 302, after: 'nothing' }, { kind: 'unknown' }, 0],
    ['a proxy that forbids it', { kind: 'status', status: 403, after: 'nothing' }, refusal('http_403', false), 0],
    ['internal_error', { kind: 'refuse', error: 'internal_error' }, { kind: 'unknown', why: 'internal_error' }, 0],
    ['fatal_error', { kind: 'refuse', error: 'fatal_error' }, { kind: 'unknown' }, 0],
    ['not_in_channel', { kind: 'refuse', error: 'not_in_channel' }, refusal('not_in_channel', true), 0],
    ['is_archived', { kind: 'refuse', error: 'is_archived' }, refusal('is_archived', true), 0],
    ['a token that somebody can renew', { kind: 'refuse', error: 'token_revoked' }, refusal('token_revoked', false), 0],
    ['a permission that somebody can give', { kind: 'refuse', error: 'missing_scope' }, refusal('missing_scope', false), 0],
  ])('that meets %s is made once', async (_, fault, outcome, stands) => {
    const { stand, chat } = await open()
    stand.faults.add({ on: 'chat.postMessage', fault, times: 5 })
    expect(await chat.post(posting())).toMatchObject(outcome)
    expect(stand.observer.calls('chat.postMessage').length).toBeLessThanOrEqual(1)
    expect(stand.faults.struck()).toHaveLength(1)
    expect(stand.observer.messages(channel)).toHaveLength(stands)
  })

  test('half of an answer is no answer', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"ok":true,"ts":"1.1"', () => response.destroy())
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const { chat } = await open({}, `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`)
    expect(await chat.post(posting())).toMatchObject({ kind: 'unknown' })
  })

  test('to nobody who listens was certainly not made', async () => {
    const { stand, chat } = await open()
    await stand.close()
    expect(await chat.post(posting())).toEqual(refusal('unreachable', false))
  })

  test('with a picture that is not ready is refused, and that is said as such', async () => {
    const { chat } = await open({ weather: { historyLagMs: [0, 0], fileReadyMs: [60_000, 60_000] } })
    const uploaded = await chat.upload(PNG, 'chart')
    const file = uploaded.kind === 'done' ? uploaded.value.file : ''
    const body = [{ kind: 'picture' }] as const
    expect(await chat.post(posting({ body, picture: { file, alt: 'a chart' } }))).toEqual(refusal('file_not_ready', false))
  })

  test('that Slack refuses for its form goes out smaller the next time, with its buttons', async () => {
    const { stand, chat, log } = await open()
    const approve = { button: 'approve', label: 'Approve', tone: 'good', confirm: null, incident: 'i-1', hash: 'h' } as const
    const message = posting({ slot: 'i-20261130-orders-1/home', body: [...posting().body, { kind: 'buttons', items: [approve] }] })
    stand.faults.add(
      { on: 'chat.postMessage', fault: { kind: 'refuse', error: 'msg_blocks_too_long' } },
      { on: 'chat.postMessage', fault: { kind: 'refuse', error: 'invalid_blocks' } },
    )
    expect(await chat.post(message)).toEqual(refusal('msg_blocks_too_long', false, 0))
    expect(await chat.post(message)).toEqual(refusal('invalid_blocks', false, 0))
    expect(await chat.post(message)).toMatchObject({ kind: 'done' })
    const [shown] = stand.observer.messages(channel)
    expect(shown!.now.blocks.map((block) => block.type)).toEqual(['section', 'actions'])
    expect(shown!.now.blocks[0]).toMatchObject({ text: { text: 'orders: hot partition\nWhere: partition 3' } })
    expect(log.join('')).toContain('"incident":"i-20261130-orders-1","slot":')
    expect(log.join('')).toContain('refuses the form')
  })

  test('that Slack refuses in its smallest form is refused for good', async () => {
    const { stand, chat } = await open()
    stand.faults.add({ on: 'chat.postMessage', fault: { kind: 'refuse', error: 'invalid_blocks' }, times: 9 })
    expect(await chat.post(posting())).toMatchObject({ forGood: false })
    expect(await chat.post(posting())).toMatchObject({ forGood: true })
  })
})

describe('an edit', () => {
  test('changes text, blocks and the edition in its mark', async () => {
    const all = await open()
    const ts = await posted(all)
    expect(await all.chat.edit({ ...posting({ edition: 2, text: 'orders: recovered' }), ts })).toEqual({ kind: 'done', value: null })
    const [message] = all.stand.observer.messages(channel)
    expect(message!.now).toMatchObject({ text: 'orders: recovered\nWhere: partition 3', metadata: { event_payload: { edition: 2 } } })
    expect(all.stand.observer.messages(channel)).toHaveLength(1)
  })

  test('of a message that somebody deleted says so', async () => {
    const all = await open()
    const ts = await posted(all)
    all.stand.observer.deleteMessage(channel, ts)
    expect(await all.chat.edit({ ...posting({ edition: 2 }), ts })).toEqual(refusal('message_not_found', true))
  })

  test('with all that a message may hold is taken: Slack takes less text in an edit than in a post', async () => {
    const all = await open()
    const rows = Array.from({ length: 30 }, (_, i) => ({ label: `Q${i}`, text: '&'.repeat(400) }))
    const body = [{ kind: 'answers', rows }] as const
    const ts = await posted(all, { body })
    expect(await all.chat.edit({ ...posting({ edition: 2, body }), ts })).toMatchObject({ kind: 'done' })
  })
})

describe('a message is removed', () => {
  test('once, and a second time is no failure', async () => {
    const all = await open()
    const ts = await posted(all)
    expect(await all.chat.remove(channel, ts)).toEqual({ kind: 'done', value: null })
    expect(await all.chat.remove(channel, ts)).toEqual({ kind: 'done', value: null })
  })
})

describe('looking for a message', () => {
  test('finds all copies of its slot, oldest first, and no other slot', async () => {
    const all = await open()
    const begin = sinceMs()
    const first = await posted(all)
    await posted(all, { slot: 'i-2/home' })
    const second = await posted(all, { edition: 3 })
    const found = await all.chat.find({ channel, threadTs: null, slot: 'i-1/home', sinceMs: begin })
    expect(found).toEqual({
      kind: 'done',
      value: [
        { ts: first, edition: 1 },
        { ts: second, edition: 3 },
      ],
    })
  })

  test('looks into the thread for what belongs there', async () => {
    const all = await open()
    const root = await posted(all)
    const ts = await posted(all, { threadTs: root, slot: 'i-1/home/details' })
    const found = await all.chat.find({ channel, threadTs: root, slot: 'i-1/home/details', sinceMs: sinceMs() })
    expect(found).toEqual({ kind: 'done', value: [{ ts, edition: 1 }] })
  })

  test('misses what Slack does not show yet, and says of a thread that it comes again', async () => {
    const all = await open({ weather: { historyLagMs: [60_000, 60_000], fileReadyMs: [0, 0] } })
    const root = await posted(all)
    const at = { channel, slot: 'i-1/home', sinceMs: sinceMs() }
    expect(await all.chat.find({ ...at, threadTs: null })).toEqual({ kind: 'done', value: [] })
    expect(await all.chat.find({ ...at, threadTs: root })).toEqual(refusal('thread_not_found', false))
  })

  test('does not believe another app that copies the mark', async () => {
    const all = await open()
    await posted(all)
    Object.assign(all.stand.workspace.messages[0]!, { author: { kind: 'other_app', botId: 'B0OTHER00', userId: 'U0OTHER', name: 'other' } })
    expect(await all.chat.find({ channel, threadTs: null, slot: 'i-1/home', sinceMs: sinceMs() })).toEqual({ kind: 'done', value: [] })
  })

  test('goes through a busy channel where Slack hands out 15 at once', async () => {
    const all = await open({ distributed: true })
    const ts = await posted(all)
    for (let i = 0; i < 40; i++) all.stand.observer.say({ user: 'U0AMARA', channel, text: `${i}` })
    const found = await all.chat.find({ channel, threadTs: null, slot: 'i-1/home', sinceMs: sinceMs() })
    expect(found).toEqual({ kind: 'done', value: [{ ts, edition: 1 }] })
    expect(all.stand.observer.calls('conversations.history')).toHaveLength(3)
  })

  test('does not look at what stood there before, but for the minute by which clocks may differ', async () => {
    const all = await open()
    const ts = await posted(all)
    const look = (later: number) => all.chat.find({ channel, threadTs: null, slot: 'i-1/home', sinceMs: sinceMs() + later })
    expect(await look(30_000)).toEqual({ kind: 'done', value: [{ ts, edition: 1 }] })
    expect(await look(90_000)).toEqual({ kind: 'done', value: [] })
  })
})

describe('a picture', () => {
  test('is uploaded without a channel and without our token on the way, and is ready when Slack has processed it', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetched.mockRestore())
    const { stand, chat } = await open({ weather: { historyLagMs: [0, 0], fileReadyMs: [250, 250] } })
    const outcome = await chat.upload(PNG, 'x'.repeat(500))
    const file = outcome.kind === 'done' ? outcome.value.file : ''
    expect(stand.workspace.files.get(file)?.bytes).toEqual(PNG)
    expect(stand.workspace.files.get(file)?.altText).toBeNull()
    const sent = fetched.mock.calls.filter(([address]) => (address as string).includes('/upload/'))
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent[0]![1]!.headers)).not.toMatch(/authorization|xoxb/i)
    expect(await chat.ready(file)).toEqual({ kind: 'done', value: false })
    await vi.waitUntil(async () => ((await chat.ready(file)) as { value?: boolean }).value === true, { interval: 50 })
    expect(await chat.post(posting({ body: [{ kind: 'picture' }], picture: { file, alt: 'a chart' } }))).toMatchObject({ kind: 'done' })
    expect(stand.observer.messages(channel)).toHaveLength(1)
  })

  test.each(['files.getUploadURLExternal', 'upload', 'files.completeUploadExternal'])('that fails at %s is no picture', async (on) => {
    const { stand, chat } = await open()
    stand.faults.add({ on, fault: { kind: 'status', status: 500, after: 'nothing' } })
    expect(await chat.upload(PNG, 'chart')).toEqual({ kind: 'unknown', why: 'http_500' })
  })
})

describe('words for one person', () => {
  const actor = { team: 'T0STANDIN', user: 'U0BEN' }

  function addressOf(stand: StandIn, madeAtMs = Date.now()): string {
    stand.workspace.responseUrls.set('KEY', { user: actor.user, channel, madeAtMs, original: null, threadTs: null, uses: 0 })
    return `${stand.url}/response/KEY`
  }

  test('go through the address of what was pressed, and into the channel once that is used up', async () => {
    const { stand, chat } = await open()
    const fetched = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetched.mockRestore())
    const answerTo = addressOf(stand)
    for (let i = 0; i < 7; i++) expect(await chat.tellAlone({ actor, channel, answerTo }, `${i}`)).toEqual({ kind: 'done', value: null })
    expect(stand.observer.shownOnlyTo('U0BEN').map((one) => one.now.text)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect(fetched.mock.calls.filter(([address]) => address === answerTo)).toHaveLength(5)
    expect(stand.observer.calls('chat.postEphemeral')).toHaveLength(2)
  })

  test('go into the channel where the address is too old', async () => {
    const { stand, chat } = await open()
    const answerTo = addressOf(stand, Date.now() - 31 * 60_000)
    expect(await chat.tellAlone({ actor, channel, answerTo }, 'no')).toMatchObject({ kind: 'done' })
    expect(stand.observer.calls('chat.postEphemeral')).toHaveLength(1)
  })

  test('name people and groups, and nothing else in them calls anybody', async () => {
    const { stand, chat } = await open()
    await chat.tellAlone(
      { actor, channel, answerTo: null },
      'approved by <@U0BEN>, owners <!subteam^S0OWNERS>: <!channel> & <https://evil.test|x>',
    )
    const { now } = stand.observer.shownOnlyTo('U0BEN')[0] as unknown as { now: { text: string; blocks: object[] } }
    expect(now.text).toBe('approved by <@U0BEN>, owners <!subteam^S0OWNERS>: &lt;!channel&gt; &amp; &lt;https://evil.test|x&gt;')
    const shown = JSON.stringify(now.blocks)
    expect([...shown.matchAll(/"type":"(user|usergroup|link|broadcast|channel)"/g)].map((one) => one[1])).toEqual(['user', 'usergroup'])
  })

  test('are sent to no address but Slack’s own', async () => {
    const { stand, chat } = await open()
    const fetched = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetched.mockRestore())
    await chat.tellAlone({ actor, channel, answerTo: 'https://slack.com.evil.test/response' }, 'no')
    expect(fetched.mock.calls.every(([address]) => (address as string).startsWith(stand.url))).toBe(true)
    expect(stand.observer.shownOnlyTo('U0BEN')).toHaveLength(1)
  })

  test.each<[string, CallFault, object]>([
    ['a torn connection', { kind: 'cut', after: 'work' }, { kind: 'unknown' }],
    ['500', { kind: 'status', status: 500, after: 'nothing' }, { kind: 'unknown', why: 'http_500' }],
    ['429', { kind: 'rate_limit', seconds: 1 }, refusal('ratelimited', false, 1_000)],
  ])('that meet %s are not said again', async (_, fault, outcome) => {
    const { stand, chat } = await open()
    stand.faults.add({ on: 'response_url', fault })
    expect(await chat.tellAlone({ actor, channel, answerTo: addressOf(stand) }, 'a')).toMatchObject(outcome)
    expect(stand.observer.calls('chat.postEphemeral')).toHaveLength(0)
  })

  test('to somebody who is not there are refused for good', async () => {
    const { chat } = await open()
    expect(await chat.tellAlone({ actor: { ...actor, user: 'U0FINN' }, channel, answerTo: null }, 'a')).toEqual(
      refusal('user_not_in_channel', true),
    )
  })
})

test('a link leads to the message', async () => {
  const all = await open()
  const ts = await posted(all)
  expect(await all.chat.permalink(channel, ts)).toEqual({
    kind: 'done',
    value: `${all.stand.url}/archives/${channel}/p${ts.replace('.', '')}`,
  })
})
