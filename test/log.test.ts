import { expect, test } from 'vitest'
import { createLog } from '../src/log.ts'

function logged(secrets: readonly string[] = []) {
  const lines: string[] = []
  return {
    log: createLog({ write: (line) => lines.push(line), secrets }),
    lines,
    last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown>,
  }
}

test('a line is one object of JSON with its time, level, message and fields', () => {
  const { log, lines, last } = logged()
  log.info('alerts stored', { format: 'json', stored: 2 })
  expect(lines[0]).toMatch(/^[^\n]+\n$/)
  expect(last()).toEqual({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), message: 'alerts stored', format: 'json', stored: 2 })
})

test('whatever is about an incident carries its id on every line', () => {
  const { log, last } = logged()
  log.about({ incident: 'i-20261130-orders-1' }).warn('the look failed')
  expect(last()).toMatchObject({ level: 'warn', incident: 'i-20261130-orders-1' })
})

test('an error is told with where it comes from', () => {
  const { log, last } = logged()
  log.error('it failed', { err: new Error('no such thing') })
  expect(last().err).toMatchObject({ type: 'Error', message: 'no such thing', stack: expect.stringContaining('log.test.ts') })
})

test('fields that are called like a secret are blank', () => {
  const { log, lines } = logged()
  log.info('asked', { token: 'hunter2', headers: { authorization: 'hunter2' }, slack: { access: { botToken: 'hunter2' } } })
  expect(lines.join('')).not.toContain('hunter2')
})

test('the secrets of the configuration are blank wherever they stand', () => {
  const { log, lines } = logged(['xoxb-1234', 'with "quotes" \\ in it', ''])
  log.warn('it failed', { err: new Error('https://hooks/xoxb-1234 said no'), body: 'with "quotes" \\ in it, and xoxb-1234' })
  expect(lines.join('')).not.toMatch(/xoxb-1234|quotes/)
  expect(lines.join('')).toContain('[secret]')
  expect(() => JSON.parse(lines[0]!)).not.toThrow()
})

test('a message that is put together does not compile', () => {
  const { log, lines } = logged()
  const pipeline: string = 'orders'
  // @ts-expect-error: what varies is a field
  log.info(`alerts of ${pipeline} stored`)
  expect(lines).toHaveLength(1)
})
