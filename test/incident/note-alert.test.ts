/** An incident of a storm of alerts: it stays small, forgets none that it counted, and ends when all are resolved. */
import { expect, test } from 'vitest'
import type { Incident } from '../../src/incident/incident.ts'
import { mostAlerts } from '../../src/incident/incident.ts'
import { join } from '../../src/incident/join.ts'
import { countAlerts } from '../../src/incident/note-alert.ts'
import { passTime } from '../../src/incident/pass-time.ts'
import type { Alert } from '../../src/incident/trigger.ts'
import { alert, minute, opened, routing, second } from '../build/incident.ts'

const one = (n: number, atS: number, status: Alert['status'] = 'firing'): Alert =>
  alert({ key: `${status}-${n}`, fingerprint: `f${String(n).padStart(16, '0')}`, atMs: second(atS), status })

function after(incident: Incident, alerts: readonly Alert[]): Incident {
  return alerts.reduce((before, each) => join(before, each, 1, each.atMs, '', routing), incident)
}

/** So many different alerts, all firing, one a tenth of a second. */
const storm = (count: number): Incident =>
  after(
    opened(one(0, 0)),
    Array.from({ length: count - 1 }, (_, n) => one(n + 1, n / 10)),
  )
const kept = ({ alerts }: Incident) => Object.keys(alerts).length

test('five hundred are known one by one, the others are counted', () => {
  expect([kept(storm(500)), countAlerts(storm(500)), storm(500).alertsBeyond]).toEqual([mostAlerts, 500, undefined])
  const big = storm(2_000)
  expect([kept(big), countAlerts(big), big.alertsBeyond]).toEqual([500, 2_000, { count: 1_500, firing: 1_500 }])
  expect(JSON.stringify(big).length).toBeLessThan(100_000)
})

test('the one that resolved longest ago makes room for one that fires', () => {
  const two = after(storm(500), [one(8, 100, 'resolved'), one(7, 101, 'resolved')])
  const { alerts, alertsBeyond } = after(two, [one(600, 102)])
  expect([one(7, 0), one(8, 0), one(600, 0)].map(({ fingerprint }) => alerts[fingerprint]?.status)).toEqual([
    'resolved',
    undefined,
    'firing',
  ])
  expect(alertsBeyond).toEqual({ count: 1, firing: 0 })
})

test('it is closed as resolved when those that were only counted are resolved as well, no sooner', () => {
  const all = Array.from({ length: 510 }, (_, n) => one(n, 100 + n / 10, 'resolved'))
  const quiet = minute(30)
  expect(passTime(after(storm(510), all.slice(0, 509)), quiet).state).toBe('open')
  expect(passTime(after(storm(510), all), quiet)).toMatchObject({ state: 'closed', closedBecause: 'resolved' })
})

test('one that has outgrown its list is looked at again every ten minutes, not every one', () => {
  const looked = (incident: Incident): Incident => ({
    ...incident,
    revisions: incident.revisions.map((each) => ({ ...each, state: 'done' as const })),
  })
  const asks = (count: number, atS: number) =>
    join(looked(storm(count)), one(9_000, atS), 1, second(atS), '', routing).revisions.at(-1)!.state === 'queued'
  expect([asks(500, 590), asks(501, 590), asks(501, 601)]).toEqual([true, false, true])
})
