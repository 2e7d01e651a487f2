/** Told to slow down, the app slows down: all of what goes the same way, and nothing else. */
import { expect, test } from 'vitest'
import { holdingBack } from '../../src/slack/hold-back.ts'
import type { Posting } from '../../src/workflow/incident-ports.ts'
import { noon } from '../build/stored-values.ts'
import type { Fate } from '../fakes/slow-chat.ts'
import { slowChat } from '../fakes/slow-chat.ts'

const tooMany: Fate = { kind: 'refused', code: 'ratelimited', retryAfterMs: 3_000, forGood: false }

function posting(slot: string, channel = 'C1'): Posting {
  return { channel, threadTs: null, slot, edition: 1, text: slot, body: [], picture: null }
}

/** @param slowed numbers of the calls that Slack refuses, from 1 */
function heldBack(...slowed: number[]) {
  const time = { nowMs: noon }
  const slack = slowChat({ nowMs: () => time.nowMs, fateOf: (n) => (slowed.includes(n) ? tooMany : { kind: 'well' }) })
  return { time, slack, chat: holdingBack(slack, () => time.nowMs) }
}

test('an edit that Slack refuses for being too many holds all edits back, each with the time that is left', async () => {
  const { time, slack, chat } = heldBack(3)
  const first = await chat.post(posting('a'))
  const second = await chat.post(posting('b', 'C2'))
  const ts = [first, second].map((one) => (one.kind === 'done' ? one.value.ts : ''))
  expect(await chat.edit({ ...posting('a'), ts: ts[0]! })).toMatchObject({ kind: 'refused', retryAfterMs: 3_000 })
  time.nowMs += 1_000
  expect(await chat.edit({ ...posting('b', 'C2'), ts: ts[1]! })).toEqual({
    kind: 'refused',
    code: 'ratelimited',
    retryAfterMs: 2_000,
    forGood: false,
  })
  expect(slack.calls).toHaveLength(3)
  expect(await chat.post(posting('c'))).toMatchObject({ kind: 'done' })
  time.nowMs += 2_000
  expect(await chat.edit({ ...posting('b', 'C2'), ts: ts[1]! })).toMatchObject({ kind: 'done' })
})

test('a channel that is posted into too often is left alone; another one is not', async () => {
  const { time, slack, chat } = heldBack(1)
  expect(await chat.post(posting('a'))).toMatchObject({ kind: 'refused' })
  expect(await chat.post(posting('b'))).toMatchObject({ kind: 'refused' })
  expect(await chat.post(posting('c', 'C2'))).toMatchObject({ kind: 'done' })
  expect(slack.calls).toHaveLength(2)
  time.nowMs += 3_000
  expect(await chat.post(posting('a'))).toMatchObject({ kind: 'done' })
})

test('what is refused for another reason, or without a time, holds nothing back', async () => {
  const fates: Fate[] = [
    { kind: 'refused', code: 'channel_not_found', retryAfterMs: null, forGood: true },
    { kind: 'refused', code: 'unreachable', retryAfterMs: null, forGood: false },
  ]
  const slack = slowChat({ nowMs: () => noon, fateOf: (n) => fates[n - 1] ?? { kind: 'well' } })
  const chat = holdingBack(slack, () => noon)
  const kinds = [await chat.post(posting('a')), await chat.post(posting('a')), await chat.post(posting('a'))].map(({ kind }) => kind)
  expect(kinds).toEqual(['refused', 'refused', 'done'])
})
