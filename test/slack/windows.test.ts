/** The windows that ask for more, as Slack would check them. */
import { describe, expect, test } from 'vitest'
import { viewProblems } from '../../src/demo/slack/blocks/validate.ts'
import type { Pressed } from '../../src/slack/payloads.ts'
import { asksForMore, modal } from '../../src/slack/views.ts'

const pressed = (more: Partial<Pressed>): Pressed => ({
  key: 'k',
  by: { user: 'U0BEN', team: 'T0STANDIN', enterprise: '' },
  button: 'decline',
  incident: 'i-20261130-orders-1',
  hash: 'a'.repeat(64),
  channel: 'C0INCIDENTS',
  message: '1796040000.000100',
  answerTo: 'https://hooks.slack.com/actions/T0STANDIN/1/abc',
  trigger: '1.2.3',
  ...more,
})

describe.each(['decline', 'withdraw', 'need_more'] as const)('%s', (button) => {
  test('is a window that Slack takes, with ids of any length', () => {
    expect(asksForMore(button)).toBe(true)
    expect(viewProblems(modal(pressed({ button })))).toEqual([])
    const long = modal(pressed({ button, incident: 'i'.repeat(1_900), answerTo: `https://hooks.slack.com/${'x'.repeat(1_500)}` }))
    expect(viewProblems(long)).toEqual([])
    expect(JSON.parse(long.private_metadata!)).toMatchObject({ button, hash: 'a'.repeat(64), answerTo: null })
  })
})

test.each(['approve', 'applied', 'taken_back'] as const)('%s asks for nothing more: it counts at once', (button) => {
  expect(asksForMore(button)).toBe(false)
})
