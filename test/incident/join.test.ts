import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident } from '../../src/incident/incident.ts'
import { mostTriggers } from '../../src/incident/incident.ts'
import type { Routing } from '../../src/incident/join.ts'
import { join } from '../../src/incident/join.ts'
import { closed } from '../../src/incident/pass-time.ts'
import { triedIn } from '../../src/incident/tried.ts'
import type { Alert, Command, Trigger } from '../../src/incident/trigger.ts'
import { alert, approval, command, minute, opened, proposal, routing, second, verdict } from '../build/incident.ts'

/** The same incident, once its diagnosis is done. */
const looked = (incident: Incident): Incident => ({
  ...incident,
  revisions: incident.revisions.map((one) => ({ ...one, state: 'done' as const })),
})

/** What becomes of it, and the diagnosis that is asked for anew; null = none. */
function into(before: Incident | null, trigger: Trigger, deliveries = 1, where: Routing = routing) {
  const incident = join(before, trigger, deliveries, trigger.atMs, 'i-2', where)
  const known = before?.id === incident.id ? before.revisions.map(({ number }) => number) : []
  return { incident, diagnose: incident.revisions.find(({ number }) => !known.includes(number)) ?? null }
}

test('a question opens an incident, told at once where it was asked, and asks for a diagnosis', () => {
  const { incident, diagnose } = into(null, command())
  expect(incident).toMatchObject({
    id: 'i-2',
    state: 'open',
    tellings: [{ channel: 'C-inc', role: 'home', notBeforeMs: minute(0), admittedAtMs: null }],
  })
  expect(diagnose).toMatchObject({ number: 1, state: 'queued', askedBy: 'cmd-1' })
})

test('an alert is told in the channel of its pipeline, and waits 8 s for the verdict', () => {
  expect(into(null, alert()).incident.tellings).toEqual([
    { channel: 'C-alerts', role: 'home', sinceMs: minute(0), notBeforeMs: second(8), admittedAtMs: null },
  ])
})

test('who asks in the channel of an alert that still waits does not wait with it', () => {
  const { incident } = into(opened(alert()), command({ channel: 'C-alerts', atMs: second(3) }))
  expect(incident.tellings).toEqual([{ channel: 'C-alerts', role: 'home', sinceMs: minute(0), notBeforeMs: second(3), admittedAtMs: null }])
})

test('another channel that asks gets a companion, once', () => {
  const first = into(opened(), command({ key: 'cmd-2', channel: 'C-other', atMs: second(5) })).incident
  const second2 = into(first, command({ key: 'cmd-3', channel: 'C-other', atMs: second(9) })).incident
  expect(second2.tellings.map(({ channel, role }) => [channel, role])).toEqual([
    ['C-inc', 'home'],
    ['C-other', 'companion'],
  ])
})

test('the same delivery again changes nothing but its count', () => {
  const before = opened(alert())
  const { incident, diagnose } = into(before, alert(), 3)
  expect(diagnose).toBeNull()
  expect(incident).toEqual({ ...before, alerts: { f1: { status: 'firing', atMs: minute(0), deliveries: 4 } } })
})

test('copies of an alert on both sides of a border of ten minutes are two triggers and one diagnosis', () => {
  const before = alert({ key: 'al/0', atMs: minute(0) - 1 })
  const { incident, diagnose } = into(opened(before), alert({ key: 'al/1', atMs: minute(0) }))
  expect(diagnose).toBeNull()
  expect(incident.triggers.map((one) => one.key)).toEqual(['al/0', 'al/1'])
  expect(into(looked(incident), alert({ key: 'al/1', atMs: minute(0) })).diagnose).toBeNull()
  expect(looked(incident).revisions).toHaveLength(1)
})

test('an alert of a pipeline without a channel is looked at and told nowhere', () => {
  const { incident, diagnose } = into(null, alert(), 1, { alertChannel: null })
  expect(incident.tellings).toEqual([])
  expect(diagnose?.number).toBe(1)
})

describe('when a trigger that joins asks for a new diagnosis', () => {
  const done = looked(opened(alert()))
  test.each<[string, Incident, Trigger, boolean]>([
    ['a question while the diagnosis is under way', opened(), command({ key: 'b', atMs: second(90) }), false],
    ['a question 60 s after it was asked for', done, command({ key: 'b', atMs: second(60) }), false],
    ['a question 61 s after it was asked for', done, command({ key: 'b', atMs: second(61) }), true],
    ['a question about another window', done, command({ key: 'b', atMs: second(10), sinceMs: minute(-120) }), true],
    ['another alert within a minute', done, alert({ key: 'b', fingerprint: 'f2', atMs: second(60) }), false],
    ['another alert later', done, alert({ key: 'b', fingerprint: 'f2', atMs: second(61) }), true],
    ['the same alert after 10 min', done, alert({ key: 'b', atMs: minute(10) }), false],
    ['the same alert after more than 10 min', done, alert({ key: 'b', atMs: minute(10) + 1 }), true],
    ['an alert that resolves', done, alert({ key: 'b', status: 'resolved', atMs: minute(20) }), false],
  ])('%s: %s', (_, incident, trigger, asks) => {
    expect(into(incident, trigger).diagnose !== null).toBe(asks)
  })
})

describe('a question about a window of its own', () => {
  const lately = (key: string, seconds: number) => command({ key, atMs: second(seconds), sinceMs: second(seconds) - 7_200_000 })
  const numbers = (incident: Incident) => incident.revisions.map((one) => one.number)

  test('"last 2h", asked five times within half a minute, is looked at once', () => {
    let incident = opened(lately('c0', 0))
    for (let n = 1; n <= 5; n++) incident = into(incident, lately(`c${n}`, n * 6)).incident
    expect([numbers(incident), incident.triggers.length]).toEqual([[1], 6])
    expect(into(looked(incident), lately('c6', 61)).diagnose?.number).toBe(2)
  })

  test('joins a look of that window that waits behind another one', () => {
    const two = into(opened(lately('c0', 0)), command({ key: 'c1', atMs: second(5), sinceMs: minute(-30) })).incident
    expect(numbers(into(two, lately('c2', 10)).incident)).toEqual([1, 2])
  })

  test('is asked anew where another verdict stands in its place', () => {
    const two = into(opened(lately('c0', 0)), command({ key: 'c1', atMs: second(5), sinceMs: minute(-30) })).incident
    const other = conclude(looked(two), verdict({ revision: 2 }), { kind: 'refusal', reason: 'nothing', needs: null }, second(9))
    expect(into(other, lately('c2', 10)).diagnose?.number).toBe(3)
  })

  test('is never let go before it was looked at, and twenty may wait', () => {
    let incident = looked(opened())
    for (let n = 1; n <= 25; n++) {
      const key = `c${n}`
      incident = into(incident, command({ key, atMs: second(n), sinceMs: minute(-100 - 10 * n) })).incident
    }
    expect(incident.revisions.filter(({ state }) => state === 'queued').map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 2),
    )
    const later = incident.revisions.slice(1).map((one, n) => (n === 0 ? one : { ...one, state: 'done' as const }))
    const next = into({ ...incident, revisions: later }, command({ key: 'late', atMs: minute(9), sinceMs: minute(-60) })).incident
    expect([next.revisions.length, next.revisions[0], next.revisions.at(-1)?.number]).toEqual([20, later[0], 22])
  })
})

test('deliveries overtake each other: the newest state of an alert counts', () => {
  const resolved = into(opened(alert()), alert({ key: 'r', status: 'resolved', atMs: minute(5) })).incident
  const late = into(resolved, alert({ key: 'late', atMs: minute(4) })).incident
  expect(late.alerts.f1).toEqual({ status: 'resolved', atMs: minute(5), deliveries: 3 })
})

test('an alert that resolves without an incident tells nobody', () => {
  const { incident, diagnose } = into(null, alert({ status: 'resolved' }))
  expect([incident.state, incident.tellings, diagnose]).toEqual(['closed', [], null])
})

test('a trigger after the close opens the next incident', () => {
  const over: Incident = { ...opened(), state: 'closed' }
  expect(into(over, command({ key: 'new', atMs: minute(90) })).incident.id).toBe('i-2')
})

describe('an alert after its incident has recovered', () => {
  const recovered = closed(looked(opened(alert())), 'recovered', minute(25))
  const later = (n: number, more: Partial<Alert> = {}) => into(recovered, alert({ key: `k${n}`, atMs: minute(n), ...more }))

  test.each<[string, number, Partial<Alert>, boolean]>([
    ['that fires on since before', 30, {}, false],
    ['that was not heard of, but fires since before', 30, { fingerprint: 'f2', startsAtMs: minute(24) }, false],
    ['that fires on half an hour later', 56, {}, true],
    ['that began to fire again', 30, { startsAtMs: minute(26) }, true],
    ['that fires on and does not say since when', 30, { startsAtMs: null }, false],
    ['that is new and does not say since when', 30, { fingerprint: 'f2', startsAtMs: null }, true],
    ['that resolves', 30, { status: 'resolved' }, false],
  ])('%s, at minute %i', (_, n, more, opens) => {
    const { incident, diagnose } = later(n, more)
    expect([incident.id, diagnose !== null]).toEqual(opens ? ['i-2', true] : ['i-1', false])
    if (!opens) expect(incident).toMatchObject({ state: 'closed', tellings: recovered.tellings, triggers: [{}, { key: `k${n}` }] })
  })

  test('that resolves and then fires without saying since when is news', () => {
    const { incident } = later(30, { status: 'resolved' })
    expect(into(incident, alert({ key: 'again', atMs: minute(35), startsAtMs: null })).incident.id).toBe('i-2')
  })

  test('of one that was closed because the alerts were resolved is news, too', () => {
    const resolved = closed(recovered, 'resolved', minute(25))
    expect(into({ ...resolved, state: 'closed' }, alert({ key: 'k', atMs: minute(26) })).incident.id).toBe('i-2')
  })
})

test('the next incident knows for a day what was applied in those before', () => {
  const applied = { ...approval(5), what: 'applied' as const }
  const known = conclude(opened(), verdict(), proposal(), minute(1))
  const cards = known.proposals.map((card) => ({ ...card, state: 'applied' as const, outcome: 'no_effect' as const, decisions: [applied] }))
  const before = closed({ ...known, proposals: cards }, 'quiet', minute(60))
  const second2 = into(before, command({ key: 'c2', atMs: minute(90) })).incident
  const tried = [{ knob: 'minPartitions', to: 24, appliedAtMs: minute(5), outcome: 'no_effect' }]
  expect(triedIn(second2)).toEqual(tried)
  const third = into(closed(second2, 'quiet', minute(100)), command({ key: 'c3', atMs: minute(5 + 24 * 60 - 1) })).incident
  expect(triedIn(third)).toEqual(tried)
  const fourth = into(closed(third, 'quiet', minute(1500)), command({ key: 'c4', atMs: minute(5 + 24 * 60) })).incident
  expect(triedIn(fourth)).toEqual([])
  expect(triedIn(opened())).toEqual([])
})

test('of a storm the newest triggers are kept and the others counted', () => {
  let incident = opened(alert())
  for (let n = 1; n <= 60; n++) incident = into(incident, alert({ key: `k${n}`, fingerprint: `f${n}`, atMs: second(n) })).incident
  expect([incident.triggers.length, incident.triggersBefore, incident.triggers.at(-1)?.key]).toEqual([
    mostTriggers,
    61 - mostTriggers,
    'k60',
  ])
})

test('alerts of the longest labels do not fill an incident: those that are names stay', () => {
  const long = Object.fromEntries(Array.from({ length: 62 }, (_, i) => [`label_${i}`, `${i}`.padEnd(1000, 'x')]))
  let incident = opened(alert())
  for (let n = 1; n <= 200; n++) {
    const labels = { alertname: `Lag${n}`, topic: 'orders', ...long }
    incident = into(incident, alert({ key: `a${n}`, fingerprint: `${n}`.padStart(16, '0'), atMs: minute(n), labels })).incident
  }
  expect(incident.triggers.at(-1)).toMatchObject({ labels: { alertname: 'Lag200', topic: 'orders' } })
  expect(JSON.stringify(incident).length).toBeLessThan(300_000)
})

test('a thorough look is another question than a usual one, and answers it as well', () => {
  const usual = looked(opened())
  const asks = (incident: Incident, more: Partial<Command>) =>
    into(incident, command({ key: 'again', atMs: second(20), ...more })).incident.revisions.length > incident.revisions.length
  expect([asks(usual, {}), asks(usual, { thorough: true })]).toEqual([false, true])
  const thorough = into(null, command({ thorough: true })).incident
  expect(thorough.revisions).toMatchObject([{ thorough: true, state: 'queued' }])
  expect([asks(looked(thorough), {}), asks(looked(thorough), { thorough: true })]).toEqual([false, false])
})
