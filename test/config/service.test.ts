/** What serve needs of the configuration: Redis, the key of the ledger, Slack; and what of it must never be read in a log. */
import { describe, expect, test } from 'vitest'
import { mistakeLine } from '../../src/config/mistake.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { missingForService, secretsOf, serviceSettings } from '../../src/config/service.ts'

const orders = 'pipelines: { orders: { topic: orders, brokers: ["kafka:9092"] } }\n'
const key = '0123456789abcdef0123456789abcdef'
const env = { R: 'redis://:hunter2@redis:6379/1', K: key, B: 'xoxb-1', A: 'xapp-1', ODD: 'http://redis', S: 'too short' }
const read = (text: string) => readConfig(`${text}\n${orders}`, { env, folder: '/' })
const lines = (text: string) => read(text).mistakes.map((one) => mistakeLine('f', one))

describe('redis', () => {
  test('an address alone is enough; a Redis that throws keys away is then refused, one that forgets warned of', () => {
    const usual = { prefix: 'headwater', evicts: 'refuse', forgets: 'warn' }
    expect(read('redis: { url: "redis://redis:6379/0" }').config.redis).toEqual({ url: 'redis://redis:6379/0', ...usual })
    expect(read('redis: { url: /run/redis.sock }').config.redis).toEqual({ url: '/run/redis.sock', ...usual })
    expect(read('redis: { url_env: R, prefix: hw-2, evicts: warn, forgets: refuse }').config.redis).toEqual({
      url: env.R,
      prefix: 'hw-2',
      evicts: 'warn',
      forgets: 'refuse',
    })
  })

  test.each<[string, string, string]>([
    ['nothing', 'redis: {}', 'f:1:8 redis: a group of keys does not fit here; write either url or url_env, one of the two'],
    ['both', 'redis: { url: "redis://a:1", url_env: R }', 'write either url or url_env, one of the two'],
    ['no address', 'redis: { url: redis }', 'redis.url: "redis" does not fit here; write the address of Redis, e.g. redis://redis:6379/0'],
    ['of something else', 'redis: { url: "http://redis:6379" }', 'write the address of Redis'],
    [
      'a login',
      'redis: { url: "redis://user:hunter2@redis:6379" }',
      'redis.url: "…@redis:6379" does not fit here; a user and password do not belong in this file',
    ],
    ['a password behind it', 'redis: { url: "redis://redis:6379?password=hunter2" }', 'a user and password do not belong in this file'],
    ['a variable that is not set', 'redis: { url_env: NONE }', 'redis.url_env: environment variable NONE is not set; export NONE'],
    [
      'a variable with something else',
      'redis: { url_env: ODD }',
      'f:1:19 redis.url_env: environment variable ODD holds no address of Redis; write',
    ],
    ['an odd prefix', 'redis: { url: "redis://a:1", prefix: "a:b" }', 'redis.prefix: "a:b" does not fit here; write letters, digits'],
    ['an odd word', 'redis: { url: "redis://a:1", evicts: ignore }', 'redis.evicts: "ignore" does not fit here; write warn or refuse'],
    ['a slip', 'redis: { url: "redis://a:1", evict: warn }', 'redis.evict: unknown key; did you mean evicts?'],
  ])('%s', (_, text, says) => {
    expect(lines(text).join('\n')).toContain(says)
    expect(read(text).config.redis).toBeNull()
  })
})

test('the key of the ledger comes from the environment, and is long', () => {
  expect(read('ledger: { key_env: K }').config.ledger).toEqual({ key })
  expect(lines('ledger: { key_env: S }')).toEqual([
    'f:1:20 ledger.key_env: environment variable S holds fewer than 32 characters; make a longer one, e.g. with openssl rand -hex 32',
  ])
  expect(lines(`ledger: { key: ${key} }`).join('\n')).not.toContain(key)
})

test('every section that is not there is one mistake; one with a mistake in it is not called missing as well', () => {
  const reading = read('slack: { team: T01 }')
  expect(serviceSettings(reading)).toBeNull()
  expect(missingForService(reading).map((one) => mistakeLine('f', one))).toEqual([
    'f redis: is missing: serve needs it; write redis: with url: redis://redis:6379 below it, or url_env: REDIS_URL',
    'f ledger: is missing: serve needs it; write ledger: with key_env: HEADWATER_LEDGER_KEY below it, and make a key with openssl rand -hex 32',
  ])
})

test('webhooks may be left out', () => {
  const reading = read('slack: { team: T01, bot_token_env: B, app_token_env: A }\nredis: { url_env: R }\nledger: { key_env: K }')
  expect([missingForService(reading), serviceSettings(reading)?.webhooks]).toEqual([[], null])
})

test('all secrets are known to the log, a password in an address in both its forms', () => {
  const everything = `slack: { team: T01, mode: http, bot_token_env: B, signing_secret_env: SIGN, listen: "a:1" }
redis: { url_env: URL }
ledger: { key_env: K }
webhooks:
  listen: a:2
  alertmanager: { basic: { username: am, password_env: P1 } }
  grafana: { secret_env: P2 }
  json: { secret_env: P3 }
kafka: { brokers: ["a:1"], sasl: { mechanism: plain, username: u, password_env: P4 } }
pipelines: { orders: { topic: orders }, payments: { topic: payments } }
`
  const secrets = {
    B: 'xoxb-1',
    SIGN: 'signs',
    K: key,
    P1: 'first-of-the-doors',
    P2: 'second-of-the-doors',
    P3: 'third-of-the-doors',
    P4: 'sasl',
  }
  const reading = readConfig(everything, { env: { ...secrets, URL: 'rediss://u:p%40ss@redis:6380' }, folder: '/' })
  expect(reading.mistakes).toEqual([])
  expect([...secretsOf(serviceSettings(reading)!)].toSorted((a, b) => a.localeCompare(b, 'en'))).toEqual(
    [...Object.values(secrets), 'p%40ss', 'p@ss'].toSorted((a, b) => a.localeCompare(b, 'en')),
  )
})
