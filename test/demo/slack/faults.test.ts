/** The nasty side: what goes wrong is switched on by a test, and the same seed goes wrong in the same places. */
import { describe, expect, test } from 'vitest'
import { seededChance } from '../../../src/demo/slack/chance.ts'
import type { CallFault } from '../../../src/demo/slack/faults/fault.ts'
import { faultScript, storm } from '../../../src/demo/slack/faults/script.ts'
import { nastyWeather } from '../../../src/demo/slack/settings.ts'
import { CHANNEL, openStandIn, upload } from './open-stand-in.ts'

describe('answers that go wrong, and whether the message was posted all the same', () => {
  const failed = 'no answer'
  test.each<[fault: CallFault, answer: number | string, posts: number]>([
    [{ kind: 'rate_limit', seconds: 7 }, 429, 0],
    [{ kind: 'status', status: 500, after: 'nothing' }, 500, 0],
    [{ kind: 'status', status: 500, after: 'work' }, 500, 1],
    [{ kind: 'status', status: 302, after: 'nothing' }, 302, 0],
    [{ kind: 'cut', after: 'nothing' }, failed, 0],
    [{ kind: 'cut', after: 'work' }, failed, 1],
    [{ kind: 'refuse', error: 'fatal_error' }, 200, 0],
    [{ kind: 'html', after: 'work' }, 200, 1],
    [{ kind: 'twice' }, 200, 2],
  ])('%o → %s, %d posted', async (fault, expected, posts) => {
    const stand = await openStandIn()
    stand.faults.add({ on: 'chat.postMessage', fault })
    const answer = await stand.request('chat.postMessage', { channel: CHANNEL, text: 'x' }).then(
      (response) => response.status,
      () => failed,
    )
    expect(answer).toBe(expected)
    expect(stand.observer.messages(CHANNEL)).toHaveLength(posts)
    expect(await stand.post()).toMatch(/^\d/)
  })

  test('late by 60 s after the work: the message stands while the answer is on its way', async () => {
    const stand = await openStandIn()
    stand.faults.add({ on: 'chat.postMessage', fault: { kind: 'late', ms: 60_000, after: 'work' } })
    let answered = false
    const answer = stand.post().then((ts) => {
      answered = true
      return ts
    })
    expect(await stand.observer.until(() => stand.observer.messages(CHANNEL).length === 1)).toBe(true)
    await stand.clock.advance(59_000)
    expect(answered).toBe(false)
    await stand.clock.advance(1_000)
    expect(await answer).toBe(stand.observer.messages(CHANNEL)[0]!.ts)
  })

  test('never: the caller gives up first', async () => {
    const stand = await openStandIn()
    stand.faults.add({ on: 'chat.postMessage', fault: { kind: 'hang', after: 'work' } })
    const call = fetch(`${stand.apiUrl}chat.postMessage?channel=${CHANNEL}&text=x&token=${stand.settings.app.botToken}`, {
      signal: AbortSignal.timeout(200),
    })
    await expect(call).rejects.toThrow()
    expect(stand.observer.messages(CHANNEL)).toHaveLength(1)
  })
})

describe('weather', () => {
  test('a fresh post is missing from history for up to 5 s, though it can be edited at once', async () => {
    const stand = await openStandIn({ weather: { ...nastyWeather, historyLagMs: [4_000, 4_000] } })
    const ts = await stand.post()
    const inHistory = async (): Promise<number> => ((await stand.call('conversations.history', { channel: CHANNEL })).messages as []).length
    expect(await inHistory()).toBe(0)
    expect(await stand.call('conversations.replies', { channel: CHANNEL, ts })).toMatchObject({ error: 'thread_not_found' })
    expect(await stand.call('chat.update', { channel: CHANNEL, ts, text: 'y' })).toMatchObject({ ok: true })
    await stand.clock.advance(4_000)
    expect(await inHistory()).toBe(1)
  })

  test('a file cannot be shown for a while; files.info tells when', async () => {
    const stand = await openStandIn({ weather: { ...nastyWeather, fileReadyMs: [9_000, 9_000] } })
    const file = await upload(stand)
    const blocks = [{ type: 'image', alt_text: 'lag', slack_file: { id: file } }]
    const refused = await stand.call('chat.postMessage', { channel: CHANNEL, text: 'x', blocks })
    expect(refused).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: ['invalid slack file [json-pointer:/blocks/0/slack_file]'],
      response_metadata: { messages: ['[ERROR] invalid slack file [json-pointer:/blocks/0/slack_file]'] },
    })
    expect(await stand.call('files.info', { file })).toMatchObject({ file: { mimetype: '' } })
    await stand.clock.advance(9_000)
    expect(await stand.call('files.info', { file })).toMatchObject({ file: { mimetype: 'image/png', filetype: 'png' } })
    expect(await stand.call('chat.postMessage', { channel: CHANNEL, text: 'x', blocks })).toMatchObject({ ok: true })
  })
})

describe('the script', () => {
  const fault: CallFault = { kind: 'cut', after: 'work' }

  test('strikes so often, after so many, where it should', () => {
    const script = faultScript(seededChance(1))
    script.add({ on: 'chat.*', fault, times: 2, skip: 1, where: ({ channel }) => channel === 'C1' })
    const strikes = (on: string, channel: string): boolean => script.strike(on, { channel }) !== null
    expect(strikes('chat.update', 'C2')).toBe(false)
    expect(strikes('files.info', 'C1')).toBe(false)
    expect([1, 2, 3, 4].map(() => strikes('chat.update', 'C1'))).toEqual([false, true, true, false])
    expect(script.struck()).toHaveLength(2)
  })

  test('cleared, it leaves everybody alone', () => {
    const script = faultScript(seededChance(1))
    script.add({ on: '*', fault, times: 100 })
    script.clear()
    expect(script.strike('chat.update', {})).toBeNull()
  })

  test('a storm of one seed is the same storm again, and strikes about as often as it was told', () => {
    const run = (seed: number): string => {
      const script = faultScript(seededChance(seed))
      script.add(...storm(0.02))
      return Array.from({ length: 1_000 }, () => script.strike('chat.postMessage', {})?.kind ?? '-').join(' ')
    }
    expect(run(7)).toBe(run(7))
    expect(run(7)).not.toBe(run(8))
    const struck = run(7)
      .split(' ')
      .filter((kind) => kind !== '-').length
    expect(struck).toBeGreaterThan(120)
    expect(struck).toBeLessThan(220)
  })
})
