/**
 * What every webhook format of the list promises, on the same hostile bodies: a recorded body becomes bounded alerts, the same alert
 * is recognised when it is resolved, and a body of another kind is refused in one sentence that repeats nothing of it.
 */
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { alertBounds } from '../../src/triggers/bound-alert.ts'
import type { ReportedAlert } from '../../src/triggers/formats/format.ts'
import { formats } from '../../src/triggers/formats/index.ts'
import { bodyOf, recordedBodies } from '../build/webhook.ts'

const lone = '\ud800'
const esc = '\u001b'

function expectBounded(alert: ReportedAlert): void {
  expect(['firing', 'resolved']).toContain(alert.status)
  expect(alert.fingerprint).toMatch(/^[0-9a-f-]{8,64}$/)
  expect(alert.name.length).toBeGreaterThan(0)
  for (const [text, most] of [[alert.name, alertBounds.name] as const, [alert.summary, alertBounds.summary] as const]) {
    expect([...text].length).toBeLessThanOrEqual(most)
    expect([...text].filter((mark) => mark < ' ' || mark === '\u007f' || mark === '\u202e')).toEqual([])
  }
  if (alert.url !== null) expect(alert.url).toMatch(/^https?:\/\/[^@]{1,1990}$/)
  const labels = Object.entries(alert.labels)
  expect(labels.length).toBeLessThanOrEqual(alertBounds.labels)
  for (const [name, value] of labels) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(alertBounds.labelNameBytes)
    expect(Buffer.byteLength(value)).toBeLessThanOrEqual(alertBounds.labelBytes)
  }
  // What is stored is what was parsed, byte for byte.
  expect(JSON.parse(Buffer.from(JSON.stringify(alert)).toString())).toEqual(alert)
}

describe.each(formats.map((format) => [format.name, format] as const))('%s', (name, format) => {
  const bodies = recordedBodies(name)
  const made = bodyOf[name]!

  test.each(bodies)('%s is understood, twice alike', (_, text) => {
    const reading = format.parse(JSON.parse(text))
    if (reading.kind !== 'alerts') throw new Error(reading.say)
    expect(reading.alerts.length).toBeGreaterThan(0)
    reading.alerts.forEach(expectBounded)
    for (const alert of reading.alerts) {
      expect(alert.startsAtMs).not.toBeNull()
      expect(alert.labels).not.toEqual({})
    }
    expect(format.parse(JSON.parse(text))).toEqual(reading)
  })

  test('an alert and its end carry the same fingerprint and the same begin', () => {
    const alerts = bodies.flatMap(([, text]) => {
      const reading = format.parse(JSON.parse(text))
      return reading.kind === 'alerts' ? reading.alerts : []
    })
    const ended = alerts.filter((alert) => alert.status === 'resolved')
    expect(ended.length).toBeGreaterThan(0)
    for (const end of ended) {
      const begins = alerts.filter((alert) => alert.status === 'firing' && alert.fingerprint === end.fingerprint)
      expect(begins.map((begin) => begin.startsAtMs)).toContain(end.startsAtMs)
    }
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 5],
    ['a text', 'firing'],
    ['a list', [{}]],
    ['an empty group', {}],
    ['alerts that are none', { ...(made([]) as object), alerts: null }],
    ['alerts that are a group', { ...(made([]) as object), alerts: { length: 1 } }],
    ['an alert that is nothing', { ...(made([]) as object), alerts: [null] }],
    ['an alert without anything', { ...(made([]) as object), alerts: [{}] }],
    ['a state that there is not', made([{ status: 'hunter2' }])],
    ['a time that is none', made([{ startsAt: 'hunter2' }])],
    ['a label that is a number', made([{ labels: { hunter2: 5 as unknown as string } }])],
  ])('%s is refused in one sentence', (_, body) => {
    const reading = format.parse(body)
    if (reading.kind !== 'mistaken') throw new Error('it was taken')
    expect(reading.say).toMatch(/^[^\n]{10,300}$/)
    expect(reading.say.replaceAll('labels.hunter2', '')).not.toContain('hunter2')
  })

  test('whatever is in it, what is kept has bounds', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`label_${i}`, '€'.repeat(5_000)]))
    const labels = { ...many, [`a${'b'.repeat(5_000)}`]: 'x', constructor: 'y', lone, escape: `${esc}[31m` }
    const nasty: readonly Parameters<typeof made>[0][number][] = [
      {
        labels,
        summary: `${esc}]0;title\u0007<!channel> ${'s'.repeat(100_000)}\nsecond line`,
        name: `\u202e${'n'.repeat(100_000)}`,
        fingerprint: 'first',
      },
      { url: 'javascript:alert(1)', fingerprint: 'constructor' },
      { url: 'https://user:hunter2@grafana.example/d/1', fingerprint: '../../etc passwd' },
      { url: `https://grafana.example/${'x'.repeat(5_000)}`, fingerprint: lone.repeat(1_000) },
      {
        url: 'not an address',
        fingerprint: 'A29A32F1D2FCE6E1',
        labels: JSON.parse('{"__proto__": "x", "toString": "y"}') as Record<string, string>,
      },
    ]
    const reading = format.parse(JSON.parse(JSON.stringify(made(nasty))))
    if (reading.kind !== 'alerts') throw new Error(reading.say)
    expect(reading.alerts).toHaveLength(5)
    reading.alerts.forEach(expectBounded)
    expect(reading.alerts[0]!.summary).toMatch(/^<!channel> s+…$/)
    expect(reading.alerts.map((alert) => alert.url)).toEqual([null, null, 'https://grafana.example/d/1', null, null])
    expect(new Set(reading.alerts.map((alert) => alert.fingerprint)).size).toBe(5)
  })

  test('the configuration can open its door with what it asks for', () => {
    const door = format.proof.kind === 'signature' ? '{ secret_env: S }' : '{ bearer_env: S }'
    const text = `webhooks: { listen: "127.0.0.1:0", ${name}: ${door} }\npipelines: { a: { topic: a, brokers: [a:1] } }`
    const { config, mistakes } = readConfig(text, { env: { S: 'a-secret-of-the-tests' }, folder: '/' })
    expect(mistakes).toEqual([])
    expect(config.webhooks?.credentials[name]?.kind).toBe(format.proof.kind === 'signature' ? 'signature' : 'bearer')
  })
})
