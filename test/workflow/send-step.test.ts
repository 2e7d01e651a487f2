/** What is done next for one message, from what should stand and what is known to stand. Times in seconds after the message was wanted. */
import { describe, expect, test } from 'vitest'
import type { Delivery, Wanted } from '../../src/workflow/incident-ports.ts'
import type { Step } from '../../src/workflow/send-step.ts'
import { adopted, beginning, carriedOut, givenUp, newDelivery, nextStep, watched } from '../../src/workflow/send-step.ts'
import { noon, wantedMessage } from '../build/stored-values.ts'

const at = (s: number): number => noon + s * 1000
const stands = (delivery: Delivery, ts = '1.1', s = 0): Delivery => carriedOut(beginning(delivery, at(s)), ts, 1, at(s))
const root = stands(newDelivery('home'), '9.9')

function next(
  wanted: Partial<Wanted>,
  delivery: Delivery,
  s: number,
  below: Delivery | null = null,
  target: Delivery | null = null,
  before: Delivery | null = null,
): string {
  const step = nextStep(wantedMessage('a', wanted), delivery, { root: below, target, before }, at(s))
  return words(step)
}

function words(step: Step): string {
  switch (step.do) {
    case 'wait':
      return `wait until ${(step.untilMs - noon) / 1000}`
    case 'find':
      return `find since ${(step.sinceMs - noon) / 1000}`
    case 'post':
      return `post${step.threadTs === null ? '' : ` below ${step.threadTs}`}${step.file === null ? '' : ` with ${step.file}`}`
    case 'edit':
      return `edit ${step.ts}${step.file === null ? '' : ` with ${step.file}`}`
    default:
      return step.do
  }
}

const fresh = newDelivery('a')
const begun = beginning(fresh, at(0))
const sent = stands(fresh)
const still = watched(sent, 0)
const file = { blob: 'png', id: 'F1', sinceMs: at(10), shown: false }
const picture = { blob: 'png', alt: 'a chart' }

test.each<[string, Partial<Wanted>, Delivery, number, Delivery | null, string]>([
  ['a new message', {}, fresh, 0, null, 'post'],
  ['one that has to wait', { notBeforeMs: at(8) }, fresh, 3, null, 'wait until 8'],
  ['one below another', { under: 'home' }, fresh, 0, root, 'post below 9.9'],
  ['one below another that does not stand yet', { under: 'home' }, fresh, 0, newDelivery('home'), 'wait until 2'],
  ['one below another that is refused', { under: 'home' }, fresh, 0, { ...newDelivery('home'), state: 'refused' }, 'nothing'],
  ['a newer edition', { edition: 2 }, still, 60, null, 'edit 1.1'],
  ['the same edition', {}, still, 60, null, 'nothing'],
  ['what Slack refused for good', {}, { ...fresh, state: 'refused', edition: 1 }, 60, null, 'nothing'],
  ['a newer edition of that', { edition: 2 }, { ...fresh, state: 'refused', edition: 1 }, 60, null, 'post'],
  ['what Slack asks to repeat later', {}, { ...fresh, retryAtMs: at(30) }, 0, null, 'wait until 30'],
  ['a post under way', {}, begun, 9, null, 'wait until 10'],
  ['a post without an answer', {}, begun, 10, null, 'find since -60'],
  ['one that the first look has missed', {}, { ...begun, missedAtMs: at(10) }, 12, null, 'wait until 16'],
  ['one that is looked for a second time', {}, { ...begun, missedAtMs: at(10) }, 16, null, 'find since -60'],
  ['an edit without an answer', { edition: 2 }, beginning(still, at(20)), 30, null, 'edit 1.1'],
  ['copies after a post', {}, sent, 3, null, 'wait until 6'],
  ['copies when all can be seen', {}, sent, 6, null, 'find since -60'],
  ['a word to one alone', { alone: { actor: { team: 'T1', user: 'U1' }, answerTo: null } }, fresh, 0, null, 'tell_alone'],
  ['a word to one alone without an answer', { alone: { actor: { team: 'T1', user: 'U1' }, answerTo: null } }, begun, 60, null, 'drop'],
  ['a verdict that came by an edit', { under: 'home', onlyAfterEdit: 2 }, fresh, 0, root, 'post below 9.9'],
  ['a verdict that came with the message', { under: 'home', onlyAfterEdit: 1 }, fresh, 0, root, 'drop'],
  ['a picture', { picture }, still, 10, null, 'upload'],
  ['a picture that may not be ready', { picture }, { ...still, file }, 12, null, 'ask_picture'],
  ['a picture that never gets ready', { picture }, { ...still, file }, 56, null, 'nothing'],
  ['a picture that is ready', { picture, edition: 2 }, { ...still, file: { ...file, shown: true } }, 12, null, 'edit 1.1 with F1'],
  [
    'the picture of the verdict before',
    { picture, edition: 2 },
    { ...still, file: { ...file, blob: 'old', shown: true } },
    12,
    null,
    'edit 1.1',
  ],
])('%s', (_, wanted, delivery, s, below, expected) => {
  expect(next(wanted, delivery, s, below)).toBe(expected)
})

describe('copies', () => {
  const second = beginning(givenUp(begun), at(16))

  test('of the first of several posts are looked for as well, and when none can come any more', () => {
    const delivery = carriedOut(second, '2.2', 1, at(17))
    expect(next({}, delivery, 20)).toBe('wait until 90')
    expect(next({}, delivery, 90)).toBe('find since -60')
    expect(next({}, watched(delivery, 1), 91)).toBe('nothing')
  })

  test('may still come when one of them was found', () => {
    expect(next({}, adopted(second, '2.2', 1), 30)).toBe('wait until 106')
  })
})

describe('a reply after another', () => {
  const held = { ...fresh, heldSinceMs: at(0) }
  const comes = newDelivery('b')

  test.each<[string, Delivery, Delivery | null, number, string]>([
    ['lets it go first', fresh, comes, 0, 'hold'],
    ['looks after it twice a second', held, comes, 1, 'wait until 1.5'],
    ['waits while it is being posted', held, beginning(comes, at(1)), 2, 'wait until 2.5'],
    ['goes when it stands', held, stands(comes, '1.0'), 2, 'post below 9.9'],
    ['waits for it for 5 s', held, comes, 4.8, 'wait until 5'],
    ['goes without it then', held, beginning(comes, at(1)), 5, 'post below 9.9'],
    ['gives it 5 s after it had to wait itself', held, { ...comes, heldSinceMs: at(0) }, 9.8, 'wait until 10'],
    ['goes without that one then', held, { ...comes, heldSinceMs: at(0) }, 10, 'post below 9.9'],
    ['does not wait for one that has waited long ago', held, { ...comes, heldSinceMs: at(-60) }, 5, 'post below 9.9'],
    ['does not wait for one that Slack refuses', fresh, { ...comes, state: 'refused' }, 0, 'post below 9.9'],
    ['does not wait for one that is not needed', fresh, { ...comes, state: 'unneeded' }, 0, 'post below 9.9'],
    [
      'does not wait for one that was deleted and comes again',
      fresh,
      { ...stands(comes), state: 'planned', ts: null },
      0,
      'post below 9.9',
    ],
    ['goes where that one is kept no longer', fresh, null, 0, 'post below 9.9'],
    ['stands, whatever becomes of that one', still, comes, 60, 'nothing'],
  ])('%s', (_, delivery, before, s, expected) => {
    expect(next({ under: 'home', after: 'b' }, delivery, s, root, null, before)).toBe(expected)
  })
})

describe('a message that leads to another', () => {
  const leads = { leadsTo: { slot: 'home', channel: 'C1', sinceMs: 0 } }
  const led = { ...still, address: { ts: '9.9', url: 'https://slack.test/9.9' } }

  test.each<[string, Delivery, Delivery | null, string]>([
    ['does not wait for it', fresh, newDelivery('home'), 'post'],
    ['asks where it is when both stand', still, root, 'ask_address'],
    ['asks once', led, root, 'nothing'],
    ['asks again where that one was posted anew', led, { ...root, ts: '10.1' }, 'ask_address'],
    ['looks again until it stands', still, newDelivery('home'), 'wait until 62'],
    ['does not wait for one that Slack refuses', still, { ...newDelivery('home'), state: 'refused' }, 'nothing'],
    ['is content where there is none', still, null, 'nothing'],
  ])('%s', (_, delivery, target, expected) => {
    expect(next(leads, delivery, 60, null, target)).toBe(expected)
  })
})

test('a message is written once more when an edit that had no answer can no longer come late', () => {
  const edited = carriedOut(beginning(beginning(still, at(20)), at(30)), '1.1', 2, at(30))
  expect(next({ edition: 2 }, edited, 31)).toBe('wait until 110')
  expect(next({ edition: 2 }, edited, 110)).toBe('edit 1.1')
  const again = carriedOut(beginning(edited, at(110)), '1.1', 2, at(110))
  expect(next({ edition: 2 }, again, 111)).toBe('nothing')
})
