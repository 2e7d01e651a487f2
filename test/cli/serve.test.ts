/** `headwater serve` before it serves: what is missing or wrong is all said at once, and nothing is begun. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { fakeIo } from '../fakes/fake-io.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-serve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const pipelines = 'pipelines:\n  orders: {topic: orders, brokers: [kafka:9092]}\n'

async function ask(text: string, ...args: string[]) {
  const file = join(folder, 'headwater.yaml')
  writeFileSync(file, text)
  const io = fakeIo({ env: { B: 'xoxb-1', A: 'xapp-1', K: '0123456789abcdef0123456789abcdef' } })
  const code = await run(
    args.map((arg) => (arg === 'FILE' ? file : arg)),
    io,
  )
  return { code, out: io.out().replaceAll(file, 'FILE'), err: io.err().replaceAll(file, 'FILE') }
}

test('three sections are missing: three lines, each with what would be right', async () => {
  const { code, out, err } = await ask(pipelines, 'serve', '--config', 'FILE')
  expect([code, out]).toEqual([1, ''])
  expect(err.trimEnd().split('\n')).toEqual([
    'headwater: FILE slack: is missing: serve needs it; write slack: with team, bot_token_env and app_token_env below it',
    'FILE redis: is missing: serve needs it; write redis: with url: redis://redis:6379 below it, or url_env: REDIS_URL',
    'FILE ledger: is missing: serve needs it; write ledger: with key_env: HEADWATER_LEDGER_KEY below it, and make a key with openssl rand -hex 32',
  ])
})

test('what is wrong is said together with what is missing, and in any part of the file', async () => {
  const text = `slack: { team: T01, bot_token_env: B, app_token_env: A }\nredis: { url: redis }\n${pipelines}  other: {topic: a}\n`
  const { code, err } = await ask(text, 'serve', '--config', 'FILE')
  expect(code).toBe(1)
  expect(err.split('\n').map((line) => /(redis\.url|ledger|brokers):/.exec(line)?.[1])).toEqual([
    'redis.url',
    'brokers',
    'ledger',
    undefined,
  ])
})

test('config check says what serve would need besides; a whole file is enough', async () => {
  const short = await ask(pipelines, 'config', 'check', 'FILE')
  expect(short.code).toBe(0)
  expect(short.out).toContain('headwater serve needs more:\n  slack: write slack: with team')
  const whole = `slack: { team: T01, bot_token_env: B, app_token_env: A }\nredis: { url: "redis://a:1" }\nledger: { key_env: K }\n${pipelines}`
  expect((await ask(whole, 'config', 'check', 'FILE')).out).toBe('FILE is right: 1 pipeline (orders), times in UTC\n')
})

test('a second process at the same address ends at once, and says which setting gives it another one', async () => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void first.close())
  const at = `127.0.0.1:${(first.address() as AddressInfo).port}`
  const whole = `slack: { team: T01, bot_token_env: B, app_token_env: A }\nredis: { url: "redis://127.0.0.1:1" }\nledger: { key_env: K }\n${pipelines}`
  const { code, err } = await ask(whole, 'serve', '--config', 'FILE', '--role', 'worker', '--operations', at)
  expect(code).toBe(1)
  expect(err.trimEnd().split('\n').slice(1)).toEqual([
    `headwater: cannot serve health and metrics at ${at}: another program, perhaps another Headwater, listens there already; change "operations:" below "webhooks:", or start this process with --operations HOST:PORT`,
  ])
})

test.each<[string, string[], string]>([
  ['an unknown role', ['serve', '--role', 'boss'], 'Allowed choices are app, worker, all'],
  ['no address', ['serve', '--operations', 'here'], 'write host:port to listen on, e.g. 127.0.0.1:9464'],
])('%s', async (_, args, says) => {
  const { code, err } = await ask(pipelines, ...args)
  expect([code, err.includes(says)]).toEqual([1, true])
})
