import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mistakeLine } from '../../src/config/mistake.ts'
import { configHash } from '../../src/config/pipeline-from.ts'
import { readConfig } from '../../src/config/read-config.ts'

const read = (text: string, env: Record<string, string> = {}) => readConfig(text, { env, folder: '/etc/headwater' })
const lines = (text: string, env?: Record<string, string>) => read(text, env).mistakes.map((m) => mistakeLine('f', m))

const smallest = `pipelines:
  orders:
    topic: orders
    brokers: [kafka:9092]
    spark: http://spark-driver:4040
`

test('a zone in the file goes before TZ, TZ before UTC', () => {
  expect(read(`zone: Europe/Berlin\n${smallest}`, { TZ: 'Asia/Tokyo' }).config.zone).toBe('Europe/Berlin')
  expect(read(smallest, { TZ: 'Asia/Tokyo' }).config.zone).toBe('Asia/Tokyo')
})

test('the smallest file is a topic with brokers and a Spark UI', () => {
  expect(read(smallest)).toEqual({
    mistakes: [],
    absent: ['zone', 'kafka', 'slack', 'webhooks', 'alerts', 'redis', 'ledger'],
    config: {
      zone: 'UTC',
      pipelines: [
        {
          name: 'orders',
          topic: 'orders',
          kafka: { brokers: ['kafka:9092'], clientId: 'headwater', tls: false, sasl: null },
          spark: 'http://spark-driver:4040',
          query: null,
          checkpoint: null,
          eventLog: null,
          table: null,
          group: null,
          declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
          objective: { freshnessSeconds: null, lagSeconds: null },
        },
      ],
      audiences: [
        {
          pipeline: 'orders',
          channel: null,
          channels: [],
          owners: { users: [], groups: [] },
          approvals: 1,
          requesterCounts: true,
          alerts: [],
        },
      ],
      slack: null,
      webhooks: null,
      redis: null,
      ledger: null,
      unmappedChannel: null,
    },
  })
})

test('the example that is shipped has no mistake', () => {
  const text = readFileSync(join(import.meta.dirname, '../../manifests/headwater.example.yaml'), 'utf8')
  const variables = [...text.matchAll(/_env: (\w+)/g)].map((found) => found[1]!)
  const secret = 'a-secret-of-the-tests-that-is-long-enough'
  const env = Object.fromEntries(variables.map((name) => [name, name === 'REDIS_URL' ? 'redis://redis:6379' : secret]))
  const { config, mistakes } = read(text, env)
  expect(mistakes).toEqual([])
  expect(config.audiences.map((audience) => audience.alerts.length)).toEqual([3, 0])
  expect(config.pipelines.map((pipeline) => [pipeline.name, pipeline.kafka.sasl === null])).toEqual([
    ['orders', false],
    ['payments', true],
  ])
})

test('everything that can be said, with defaults for Kafka and the secret from the environment', () => {
  const text = `
zone: Europe/Berlin
kafka:
  brokers: [a:9092, "[::1]:9093"]
  client_id: hw
  tls: true
  sasl: { mechanism: scram-sha-512, username: headwater, password_env: KAFKA_PASSWORD }
pipelines:
  orders:
    topic: orders
    spark: http://driver:4040/
    query: orders-to-delta
    checkpoint: checkpoints/orders
    event_log: ../spark-events
    table: file:///data/orders%20bronze
    group: orders-etl
    trigger: 1m 30s
    max_offsets_per_trigger: 10000
    min_partitions: 24
    max_records_per_partition: none
    objective: { freshness: 2m, lag: 500ms }
  plain:
    topic: plain
    brokers: [b:9092]
    tls: false
    sasl: null
    checkpoint: s3a://bucket/checkpoint
`
  const { config, mistakes } = read(text, { KAFKA_PASSWORD: 'secret' })
  expect(mistakes).toEqual([])
  expect(config.zone).toBe('Europe/Berlin')
  const [orders, plain] = config.pipelines
  expect(orders).toMatchObject({
    kafka: { brokers: ['a:9092', '[::1]:9093'], clientId: 'hw', tls: true, sasl: { mechanism: 'scram-sha-512', password: 'secret' } },
    spark: 'http://driver:4040',
    checkpoint: '/etc/headwater/checkpoints/orders',
    eventLog: '/etc/spark-events',
    table: '/data/orders bronze',
    declared: { triggerSeconds: 90, maxOffsetsPerTrigger: 10_000, minPartitions: 24, maxRecordsPerPartition: 0 },
    objective: { freshnessSeconds: 120, lagSeconds: 0.5 },
  })
  expect(plain).toMatchObject({ kafka: { brokers: ['b:9092'], tls: false, sasl: null }, checkpoint: 's3a://bucket/checkpoint' })
  expect(Object.isFrozen(orders?.kafka.sasl)).toBe(true)
})

test('every mistake of a file is said at once, in its order, with what would be right', () => {
  const text = `zone: Europe/Berln
kafak: {}
kafka:
  sasl: { mechanism: scram, username: hw, password: hunter2 }
pipelines:
  orders:
    topic: 123
    brokers: kafka:9092
    spark: driver:4040
    trigger: 5
    maxOffsetsPerTrigger: 10
    objective: { freshnes: 2m, lag: soon }
  payments:
    topic: payments
  good:
    topic: good
    brokers: [kafka:9092, "kafka:x"]
`
  expect(lines(text)).toEqual([
    'f:1:7 zone: "Europe/Berln" does not fit here; did you mean Europe/Berlin?',
    'f:2:1 kafak: unknown key; did you mean kafka?',
    'f:4:3 kafka.sasl.password_env: is missing; name the environment variable that holds the password, e.g. KAFKA_PASSWORD',
    'f:4:22 kafka.sasl.mechanism: "scram" does not fit here; write one of plain, scram-sha-256, scram-sha-512',
    'f:4:43 kafka.sasl.password: a secret does not belong in this file; keep it in an environment variable and name that here: password_env: KAFKA_PASSWORD',
    'f:7:12 pipelines.orders.topic: 123 does not fit here; write the topic as text, e.g. orders (in quotes if it is all digits)',
    'f:8:14 pipelines.orders.brokers: "kafka:9092" does not fit here; write a list, e.g. [kafka:9092]',
    'f:9:12 pipelines.orders.spark: "driver:4040" does not fit here; write the address of the driver UI, e.g. http://spark-driver:4040',
    'f:10:14 pipelines.orders.trigger: 5 does not fit here; write a number with its unit, e.g. 500ms, 5s, 2m, 1h 30m',
    'f:11:5 pipelines.orders.maxOffsetsPerTrigger: unknown key; did you mean max_offsets_per_trigger?',
    'f:12:18 pipelines.orders.objective.freshnes: unknown key; did you mean freshness?',
    'f:12:37 pipelines.orders.objective.lag: "soon" does not fit here; write a number with its unit, e.g. 500ms, 5s, 2m, 1h 30m; leave it out when there is none',
    'f:17:27 pipelines.good.brokers[1]: "kafka:x" does not fit here; write host:port, e.g. kafka:9092',
  ])
})

test('a login in the address of the driver UI is refused, and not repeated', () => {
  expect(lines(smallest.replace('http://spark-driver', 'u:s3cret@spark-driver')).join('\n')).not.toContain('s3cret')
  expect(lines(smallest.replace('//spark-driver', '//u:s3cret@spark-driver'))).toEqual([
    'f:5:12 pipelines.orders.spark: "…@spark-driver:4040" does not fit here; a user or password does not belong in the address; write it without, e.g. http://spark-driver:4040, and let this host read the UI without a login',
  ])
})

test('a login in the address of a folder is refused, and not repeated; a container is none', () => {
  for (const line of ['checkpoint', 'table', 'event_log']) {
    const said = lines(`${smallest}    ${line}: s3a://key:s3cret@bucket/orders\n`).join('\n')
    expect(said).toContain(`pipelines.orders.${line}`)
    expect(said).toContain('a user and password do not belong in the address')
    expect(said).not.toContain('s3cret')
    expect(lines(`${smallest}    ${line}: abfss://container@account.example/orders\n`)).toEqual([])
  }
})

describe('one mistake at a time', () => {
  test.each<[string, string, string]>([
    ['an empty file', '', 'f: an empty value does not fit here; write pipelines: with one name per pipeline below it'],
    ['a list', '- a', 'f:1:1: a list does not fit here; write pipelines:'],
    ['no pipelines', 'zone: UTC', 'f:1:1 pipelines: is missing; write pipelines:'],
    ['empty pipelines', 'pipelines: {}', 'f:1:1 pipelines: no pipeline below it'],
    ['a pipeline without anything', 'pipelines:\n  orders:\n', 'f:2:3 pipelines.orders: an empty value does not fit here'],
    [
      'no brokers anywhere',
      'pipelines:\n  orders:\n    topic: orders\n',
      'f:2:3 pipelines.orders.brokers: is missing; write e.g. brokers: [kafka:9092]',
    ],
    ['no topic', 'pipelines:\n  orders:\n    brokers: [a:1]\n', 'f:2:3 pipelines.orders.topic: is missing; write the topic as text'],
    ['a key twice', `${smallest}    topic: other\n`, 'f:6:5: this key stands here twice; keep one of the two'],
    ['a tab', 'pipelines:\n\torders: 1\n', 'f:2:1: tabs are not allowed'],
    ['an unclosed list', 'pipelines:\n  orders: {topic: [a\n', 'mend this line first'],
    ['an unknown alias', 'pipelines: *a', 'f:'],
    ['a name of a pipeline with spaces', 'pipelines:\n  a b: {topic: x, brokers: [a:1]}', 'f:2:3 pipelines."a b": "a b" is no name'],
    [
      'no cap said as zero',
      `${smallest}    max_offsets_per_trigger: 0\n`,
      'f:6:30 pipelines.orders.max_offsets_per_trigger: 0 does not fit here',
    ],
    [
      'an option said as zero',
      `${smallest}    min_partitions: 0\n`,
      'f:6:21 pipelines.orders.min_partitions: 0 does not fit here; write a whole number of tasks above 0, or none when it is not set',
    ],
    ['a far-off key', `${smallest}    colour: red\n`, 'f:6:5 pipelines.orders.colour: unknown key; known here: topic, brokers,'],
    ['an address without port', 'pipelines: {o: {topic: o, brokers: [kafka]}}', 'brokers[0]: "kafka" does not fit here; write host:port'],
  ])('%s', (_, text, says) => {
    expect(lines(text).join('\n')).toContain(says)
  })
})

test('a mistake in one pipeline leaves the others usable', () => {
  const { config, mistakes } = read(`${smallest}  other:\n    topic: other\n`)
  expect(config.pipelines.map((p) => p.name)).toEqual(['orders'])
  expect(mistakes.map((m) => m.path)).toEqual([['pipelines', 'other', 'brokers']])
})

test('a secret that is not in the environment is said once, where it is named', () => {
  const text = `kafka: { brokers: [a:1], sasl: { mechanism: plain, username: u, password_env: KP } }
pipelines: { a: { topic: a }, b: { topic: b }, c: { topic: c, sasl: { mechanism: plain, username: u, password_env: OWN } } }`
  expect(lines(text)).toEqual([
    'f:1:79 kafka.sasl.password_env: environment variable KP is not set; export KP before calling headwater',
    'f:2:116 pipelines.c.sasl.password_env: environment variable OWN is not set; export OWN before calling headwater',
  ])
})

test('the hash of a configuration follows what is asked, never the password', () => {
  const text = (user: string) =>
    `kafka: { brokers: [a:1], sasl: { mechanism: plain, username: ${user}, password_env: KP } }\npipelines: { a: { topic: a } }`
  const hash = (user: string, KP: string) => configHash(read(text(user), { KP }).config.pipelines[0]!)
  expect(hash('u', 'one')).toMatch(/^[0-9a-f]{16}$/)
  expect(hash('u', 'one')).toBe(hash('u', 'two'))
  expect(hash('u', 'one')).not.toBe(hash('v', 'one'))
})
