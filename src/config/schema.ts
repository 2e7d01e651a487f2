/**
 * What may stand in the configuration file. Each message says what would be right; `find-mistakes.ts` adds what is there and where.
 * A secret never stands in the file: `password_env` names the environment variable that holds it.
 */
import { z } from 'zod'
import { withoutLogin } from '../incident/address.ts'
import { durationForm, parseDuration } from '../incident/parse-duration.ts'
import { audienceShape } from './audience-schema.ts'
import { name, variable } from './plain-schema.ts'
import { ledgerSchema, redisSchema } from './redis-schema.ts'
import { alertsSchema, slackSchema } from './slack-schema.ts'
import { webhooksSchema } from './webhooks-schema.ts'

const topic = name('the topic', 'orders').regex(/^[\w.-]{1,249}$/, 'a topic has letters, digits, ".", "_" or "-", at most 249')

const broker = z
  .string('write host:port, e.g. kafka:9092')
  .regex(/^([\w.-]+|\[[0-9a-fA-F:]+\]):([1-9]\d{0,4})$/, 'write host:port, e.g. kafka:9092')

const brokers = z.array(broker, 'write a list, e.g. [kafka:9092]').min(1, 'write at least one, e.g. [kafka:9092]')

const sparkUrl = z
  .string('write the address of the driver UI, e.g. http://spark-driver:4040')
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'write the address of the driver UI, e.g. http://spark-driver:4040')
  .refine(
    withoutUserInfo,
    'a user or password does not belong in the address; write it without, e.g. http://spark-driver:4040, and let this host read the UI without a login',
  )

/** Folders too: a bundle or a message would carry the login on. */
const folder = (of: string, example: string) =>
  name(of, example).refine(
    (text) => withoutLogin(text) === text,
    `a user and password do not belong in the address; write it without, e.g. ${example}`,
  )

const duration = z
  .string(`write ${durationForm}`)
  .refine((text) => parseDuration(text) !== null, `write ${durationForm}; leave it out when there is none`)
  .transform((text) => parseDuration(text)!)

const count = z.int('write a whole number of records').positive('write a number above 0; leave the line out when there is no cap')

/** 0 = not set, for what no system tells: the pipeline's own way of saying it. */
const countOrNone = (of: string) => {
  const right = `write a whole number of ${of} above 0, or none when it is not set`
  return z.union([z.int(right).positive(right), z.literal('none', right)], right).transform((value) => (value === 'none' ? 0 : value))
}

const zone = z
  .string('write an IANA time zone, e.g. Europe/Berlin or UTC')
  .refine(isZone, 'write an IANA time zone, e.g. Europe/Berlin or UTC')

export const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

const sasl = z.strictObject(
  {
    mechanism: z.enum(mechanisms, `write one of ${mechanisms.join(', ')}`),
    username: name('the user name', 'headwater'),
    password_env: variable('the password', 'KAFKA_PASSWORD'),
  },
  'write mechanism, username and password_env below it',
)

const tls = z.boolean('write true or false')

export const kafkaSchema = z.strictObject(
  {
    brokers: brokers.optional(),
    client_id: name('the client id', 'headwater').optional(),
    tls: tls.optional(),
    sasl: sasl.optional(),
  },
  'write brokers, client_id, tls or sasl below it',
)

export const pipelineSchema = z.strictObject(
  {
    topic,
    brokers: brokers.optional(),
    tls: tls.optional(),
    /** null = none, although the top level has one. */
    sasl: sasl.nullable().optional(),
    spark: sparkUrl.optional(),
    query: name("the streaming query's name", 'orders-to-delta').optional(),
    checkpoint: folder("the folder of the query's checkpoint", '/data/checkpoints/orders').optional(),
    event_log: folder("the folder of Spark's event logs", '/data/spark-events').optional(),
    table: folder('the folder of the Delta table', '/data/tables/orders_bronze').optional(),
    group: name('the consumer group', 'orders-etl').optional(),
    trigger: duration.optional(),
    max_offsets_per_trigger: count.optional(),
    min_partitions: countOrNone('tasks').optional(),
    max_records_per_partition: countOrNone('records').optional(),
    objective: z
      .strictObject({ freshness: duration.optional(), lag: duration.optional() }, 'write freshness or lag below it, e.g. freshness: 2m')
      .optional(),
    ...audienceShape,
  },
  'write at least topic and brokers below it',
)

const wholeFile = z.strictObject(
  {
    zone: zone.optional(),
    kafka: kafkaSchema.optional(),
    slack: slackSchema.optional(),
    webhooks: webhooksSchema.optional(),
    alerts: alertsSchema.optional(),
    redis: redisSchema.optional(),
    ledger: ledgerSchema.optional(),
    pipelines: z.record(z.string(), pipelineSchema, 'write pipelines: with one name per pipeline below it'),
  },
  'write pipelines: with one name per pipeline below it',
)

/** Sections and pipelines are checked one by one, so that a mistake in one leaves the others usable. */
export const fileSchema = wholeFile.extend({
  kafka: z.unknown().optional(),
  slack: z.unknown().optional(),
  webhooks: z.unknown().optional(),
  alerts: z.unknown().optional(),
  redis: z.unknown().optional(),
  ledger: z.unknown().optional(),
  pipelines: z.record(z.string(), z.unknown(), 'write pipelines: with one name per pipeline below it'),
})

export const pipelineName = /^[A-Za-z0-9][\w.-]{0,63}$/

/** The keys allowed at a place, for "did you mean"; [] where any name may stand. */
export function keysAt(path: readonly (string | number)[]): string[] {
  const there = path.reduce<unknown>((schema, key) => below(bare(schema), key), wholeFile)
  const found = bare(there)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function below(schema: unknown, key: string | number): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[key]
  if (schema instanceof z.ZodRecord) return schema.valueType
  return schema instanceof z.ZodArray ? schema.element : undefined
}

/** What stands under "may be left out" and "may be null". */
function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

function withoutUserInfo(text: string): boolean {
  const url = URL.parse(text)
  return url === null || (url.username === '' && url.password === '')
}
