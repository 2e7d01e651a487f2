/** Slack's tiers: how often a method may be called, and how it says to wait. */
import { describe, expect, test } from 'vitest'
import { rateLimit } from '../../../src/demo/slack/api/rate-limit.ts'
import { methods } from '../../../src/demo/slack/methods/index.ts'
import { CHANNEL, openStandIn } from './open-stand-in.ts'

test.each([
  [1, 1, 60],
  [2, 20, 3],
  [3, 50, 2],
  [4, 100, 1],
] as const)('tier %d: %d calls at once, then one every %d s at most', (tier, calls, seconds) => {
  const limit = rateLimit()
  for (let call = 0; call < calls; call++) expect(limit.take('m', tier, '', 0)).toBe(0)
  expect(limit.take('m', tier, '', 0)).toBe(seconds)
  expect(limit.take('other', tier, '', 0)).toBe(0)
  expect(limit.take('m', tier, '', seconds * 1000)).toBe(0)
})

test('posts: about one a second in a channel, whatever happens in others, and a limit over all', () => {
  const limit = rateLimit()
  for (let post = 0; post < 3; post++) expect(limit.take('chat.postMessage', 'post', 'C1', 0)).toBe(0)
  expect(limit.take('chat.postMessage', 'post', 'C1', 0)).toBe(1)
  expect(limit.take('chat.postMessage', 'post', 'C2', 0)).toBe(0)
  expect(limit.take('chat.postMessage', 'post', 'C1', 1_000)).toBe(0)
  let refused = 0
  for (let channel = 0; channel < 200; channel++) refused += Math.sign(limit.take('chat.postMessage', 'post', `D${channel}`, 1_000))
  expect(refused).toBeGreaterThan(90)
})

describe('over the wire', () => {
  test('429 with Retry-After; after the wait it goes through', async () => {
    const stand = await openStandIn({ rateLimits: true })
    for (let post = 0; post < 3; post++) await stand.post()
    const refused = await stand.request('chat.postMessage', { channel: CHANNEL, text: 'x' })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({ ok: false, error: 'ratelimited' })
    await stand.clock.advance(1_000)
    expect(await stand.post()).toMatch(/^\d/)
  })

  test('an app that is distributed outside the marketplace reads 15 messages once a minute', async () => {
    const stand = await openStandIn({ distributed: true, rateLimits: true })
    for (let count = 0; count < 20; count++) stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: `${count}` })
    const read = await stand.call('conversations.history', { channel: CHANNEL, limit: 200 })
    expect(read.messages).toHaveLength(15)
    expect((await stand.request('conversations.history', { channel: CHANNEL })).headers.get('retry-after')).toBe('60')
  })

  test('the tiers of the methods', () => {
    const of = (pace: unknown): string[] => methods.filter((one) => one.pace === pace).map((one) => one.name)
    expect(of('post')).toEqual(['chat.postMessage'])
    expect(of('special')).toEqual(['auth.test', 'blocks.validate', 'chat.getPermalink'])
    expect(of(2)).toEqual([
      'bookmarks.add',
      'bookmarks.edit',
      'bookmarks.remove',
      'conversations.list',
      'pins.add',
      'usergroups.list',
      'usergroups.users.list',
    ])
    expect(of(4)).toEqual([
      'chat.postEphemeral',
      'conversations.members',
      'files.completeUploadExternal',
      'files.getUploadURLExternal',
      'files.info',
      'users.info',
      'views.open',
      'views.push',
      'views.update',
    ])
  })
})
