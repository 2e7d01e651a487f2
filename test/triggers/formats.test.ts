import { expect, test } from 'vitest'
import { alertmanager } from '../../src/triggers/formats/alertmanager.ts'
import type { Reading } from '../../src/triggers/formats/format.ts'
import { grafana } from '../../src/triggers/formats/grafana.ts'
import { alertsJsonSchema, json } from '../../src/triggers/formats/json.ts'
import { bodyOf, recordedBody } from '../build/webhook.ts'

const alertsOf = (reading: Reading) => {
  if (reading.kind !== 'alerts') throw new Error(reading.say)
  return reading.alerts
}
const said = (reading: Reading) => (reading.kind === 'mistaken' ? reading.say : 'taken')

test('a group of Alertmanager is its alerts', () => {
  expect(alertsOf(alertmanager.parse(JSON.parse(recordedBody('alertmanager-firing'))))).toEqual([
    {
      status: 'firing',
      fingerprint: 'a29a32f1d2fce6e1',
      name: 'ConsumerLagHigh',
      labels: {
        alertname: 'ConsumerLagHigh',
        consumergroup: 'orders-to-delta',
        severity: 'warning',
        team: 'data-platform',
        topic: 'orders',
      },
      summary: 'Lag of orders-to-delta on orders is above 20 000',
      url: 'http://prometheus:9090/graph?g0.expr=kafka_consumergroup_lag+%3E+20000&g0.tab=1',
      startsAtMs: Date.UTC(2026, 10, 30, 10, 5, 12, 345),
    },
    expect.objectContaining({ fingerprint: '70a844aa02f69e67', startsAtMs: Date.UTC(2026, 10, 30, 10, 5, 42, 345) }),
  ])
})

test('alerts that Alertmanager left out are counted', () => {
  expect(alertmanager.parse(JSON.parse(recordedBody('alertmanager-truncated')))).toMatchObject({ alerts: [{}], omitted: 1 })
})

test('in one group some fire and some are resolved', () => {
  const alerts = alertsOf(alertmanager.parse(JSON.parse(recordedBody('alertmanager-one-resolved'))))
  expect(alerts.map((alert) => [alert.labels.topic, alert.status])).toEqual([
    ['orders', 'resolved'],
    ['payments', 'firing'],
  ])
})

test('Grafana leads to the panel, and writes nothing as null', () => {
  const [firing] = alertsOf(grafana.parse(JSON.parse(recordedBody('grafana-firing'))))
  expect(firing).toMatchObject({
    name: 'Orders are late',
    url: expect.stringContaining('viewPanel=4'),
    startsAtMs: Date.UTC(2026, 10, 30, 10, 5, 10),
  })
  expect(alertsOf(grafana.parse(JSON.parse(recordedBody('grafana-resolved'))))).toMatchObject([{ status: 'resolved', summary: '' }])
})

test('our own body needs no fingerprint: the same name and labels are the same alert', () => {
  const print = (labels: Record<string, string>) => alertsOf(json.parse(bodyOf.json!([{ labels }])))[0]!.fingerprint
  expect(print({ topic: 'a', team: 'b' })).toBe(print({ team: 'b', topic: 'a' }))
  expect(print({ topic: 'a' })).not.toBe(print({ topic: 'b' }))
})

test('the name of an alert can be matched like a label', () => {
  expect(alertsOf(json.parse(bodyOf.json!([{ name: 'late', labels: {} }])))[0]!.labels).toEqual({ alertname: 'late' })
})

test.each<[string, string]>([
  [
    said(alertmanager.parse(JSON.parse(recordedBody('grafana-firing')))),
    'version: this door takes the usual body of Alertmanager, version "4"',
  ],
  [said(grafana.parse({ title: 'x' })), 'version: this door takes the usual body of Grafana, version "1"'],
  [said(alertmanager.parse({ version: '4' })), 'alerts: write a list of alerts'],
  [said(alertmanager.parse(bodyOf.alertmanager!([{}, { fingerprint: '' }]))), 'alerts[1].fingerprint: write the fingerprint of the alert'],
  [said(json.parse({})), 'alerts: write a list of alerts'],
  [said(json.parse([])), 'write {"alerts": [{"status": "firing", "name": "…"'],
  [said(json.parse({ alerts: [] })), 'alerts: write at least one alert'],
  [said(json.parse(bodyOf.json!([{ status: 'ok' }]))), 'alerts[0].status: write "firing" or "resolved"'],
  [said(json.parse(bodyOf.json!([{ startsAt: '14:05' }]))), 'alerts[0].startsAt: write a time in RFC 3339'],
  [said(json.parse(bodyOf.json!([{ starts: '14:05' } as object]))), 'alerts[0]: the key starts is not known here'],
])('"%s"', (say, begins) => {
  expect(say.slice(0, begins.length)).toBe(begins)
})

test('manifests/alerts.schema.json is the schema of this program (npm test -- test/triggers/formats.test.ts -u writes it)', async () => {
  await expect(alertsJsonSchema()).toMatchFileSnapshot('../../manifests/alerts.schema.json')
})
