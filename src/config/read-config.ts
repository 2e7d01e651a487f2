/**
 * The text of a configuration file and the environment become one frozen configuration and the list of all mistakes in it.
 * A pipeline with a mistake is left out; the others stay usable, so that a typo in one does not blind the on-call engineer
 * of another.
 */
import type { YAMLError } from 'yaml'
import { LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { didYouMean } from '../incident/did-you-mean.ts'
import { audienceFrom } from './audience-from.ts'
import type { Config } from './config.ts'
import { defaultZone } from './config.ts'
import type { Origin } from './find-mistakes.ts'
import { missing, mistake, mistakesOf, shown } from './find-mistakes.ts'
import type { Mistake } from './mistake.ts'
import type { KafkaDefaults, Problem } from './pipeline-from.ts'
import { pipelineFrom } from './pipeline-from.ts'
import { nowhere } from './plain-schema.ts'
import { readerZone } from './reader-zone.ts'
import { ledgerFrom, redisFrom } from './redis-from.ts'
import { ledgerSchema, redisSchema } from './redis-schema.ts'
import { fileSchema, kafkaSchema, keysAt, pipelineName, pipelineSchema } from './schema.ts'
import { slackFrom } from './slack-from.ts'
import { alertsSchema, slackSchema } from './slack-schema.ts'
import type { Environment } from './take-secret.ts'
import { webhooksFrom } from './webhooks-from.ts'
import { webhooksSchema } from './webhooks-schema.ts'

export interface Surroundings {
  readonly env: Environment
  /** Folder against which relative paths of the file are read: that of the file itself. */
  readonly folder: string
}

export interface ConfigReading {
  readonly config: Config
  /** In the order of the file. */
  readonly mistakes: readonly Mistake[]
  /** Sections that may stand in the file and do not. */
  readonly absent: readonly string[]
}

export function readConfig(text: string, around: Surroundings): ConfigReading {
  const lines = new LineCounter()
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const syntax = doc.errors.map((error) => syntaxMistake(error, lines))
  // After a broken line everything below is a guess; a key written twice still leaves a readable file.
  if (doc.errors.some((error) => error.code !== 'DUPLICATE_KEY')) return { config: emptyConfig, mistakes: syntax, absent: [] }
  let root: unknown
  try {
    root = doc.toJS() as unknown
  } catch (error) {
    const mistake: Mistake = { path: [], at: null, what: (error as Error).message, right: 'write the values out' }
    return { config: emptyConfig, mistakes: [mistake], absent: [] }
  }
  const origin: Origin = { doc, lines, root }
  const found = check(root, origin, around)
  return { ...found, mistakes: inFileOrder([...syntax, ...found.mistakes]) }
}

const emptyConfig: Config = deepFreeze({
  zone: defaultZone,
  pipelines: [],
  audiences: [],
  slack: null,
  webhooks: null,
  redis: null,
  ledger: null,
  unmappedChannel: null,
})

function check(root: unknown, origin: Origin, around: Surroundings): ConfigReading {
  const mistakes: Mistake[] = []
  const file = fileSchema.safeParse(root)
  if (!file.success) mistakes.push(...mistakesOf(file.error.issues, [], origin))
  const top = isGroup(root) ? root : {}
  const kafka = kafkaOf(top.kafka, mistakes, origin)
  const outside = outsideOf(top, around.env, mistakes, origin)
  const named = Object.entries(isGroup(top.pipelines) ? top.pipelines : {}).flatMap(([name, value]) => {
    const path = ['pipelines', name]
    if (!pipelineName.test(name)) {
      mistakes.push(mistake(path, `${shown(name)} is no name`, 'use letters, digits, ".", "_" or "-", at most 64', origin, 'key'))
    }
    const parsed = section(path, value, pipelineSchema, mistakes, origin)
    const own = isGroup(value) ? value : {}
    if (isGroup(value) && own.brokers === undefined && kafka.brokers === undefined && !kafka.mistaken) {
      mistakes.push(missing([...path, 'brokers'], 'write e.g. brokers: [kafka:9092] here, or once for all under kafka:', origin))
    }
    if (parsed === null || !pipelineName.test(name)) return []
    const { pipeline, problems } = pipelineFrom(name, parsed, kafka, around)
    mistakes.push(...problems.map((p) => mistake(locate(p.path, path, own), p.what, p.right, origin)))
    const audience = audienceFrom(name, parsed)
    mistakes.push(...problemsAt(path, audience.problems, origin))
    return pipeline === null || audience.problems.length > 0 ? [] : [{ pipeline, audience: audience.audience }]
  })
  if (isGroup(top.pipelines) && Object.keys(top.pipelines).length === 0) {
    mistakes.push(mistake(['pipelines'], 'no pipeline below it', 'write at least one: its name, topic and brokers', origin, 'key'))
  }
  const zone = (file.success ? file.data.zone : undefined) ?? readerZone(around.env)
  const firstChannel = named.map((one) => one.audience.channel).find((channel) => channel !== null)
  const toldNowhere = outside.unmappedChannel === nowhere
  const config: Config = {
    zone,
    pipelines: named.map((one) => one.pipeline),
    audiences: named.map((one) => one.audience),
    ...outside,
    // An alert that nobody hears of is worse than one in a neighbour's channel.
    unmappedChannel: toldNowhere ? null : (outside.unmappedChannel ?? firstChannel ?? null),
  }
  const absent = keysAt([]).filter((key) => top[key] === undefined)
  return { config: deepFreeze(config), mistakes: saidOnce(withNearZones(mistakes, top.zone)), absent }
}

/** What is not about one pipeline: Slack, the doors for alerts, Redis, the ledger. */
function outsideOf(
  top: Record<string, unknown>,
  env: Environment,
  mistakes: Mistake[],
  origin: Origin,
): Pick<Config, 'slack' | 'webhooks' | 'redis' | 'ledger' | 'unmappedChannel'> {
  const slack = section(['slack'], top.slack, slackSchema, mistakes, origin)
  const webhooks = section(['webhooks'], top.webhooks, webhooksSchema, mistakes, origin)
  const alerts = section(['alerts'], top.alerts, alertsSchema, mistakes, origin)
  const redis = section(['redis'], top.redis, redisSchema, mistakes, origin)
  const ledger = section(['ledger'], top.ledger, ledgerSchema, mistakes, origin)
  const found = {
    slack: slack === null ? null : slackFrom(slack, env),
    webhooks: webhooks === null ? null : webhooksFrom(webhooks, env),
    redis: redis === null ? null : redisFrom(redis, env),
    ledger: ledger === null ? null : ledgerFrom(ledger, env),
  }
  for (const [name, one] of Object.entries(found)) mistakes.push(...problemsAt([name], one?.problems, origin))
  return {
    slack: found.slack?.slack ?? null,
    webhooks: found.webhooks?.webhooks ?? null,
    redis: found.redis?.redis ?? null,
    ledger: found.ledger?.ledger ?? null,
    unmappedChannel: alerts?.unmapped_channel ?? null,
  }
}

/** One part of the file by its own schema; null = it is not there, or mistaken. */
function section<S extends z.ZodType>(path: string[], value: unknown, schema: S, mistakes: Mistake[], origin: Origin): z.output<S> | null {
  if (value === undefined) return null
  const parsed = schema.safeParse(value)
  if (!parsed.success) mistakes.push(...mistakesOf(parsed.error.issues, path, origin))
  return parsed.success ? parsed.data : null
}

function problemsAt(path: readonly string[], problems: readonly Problem[] | undefined, origin: Origin): Mistake[] {
  return (problems ?? []).map((p) => mistake([...path, ...p.path], p.what, p.right, origin))
}

/** What several pipelines take over from `kafka:` is wrong once. */
function saidOnce(mistakes: readonly Mistake[]): Mistake[] {
  const key = (m: Mistake) => JSON.stringify([m.path, m.what])
  return [...new Map(mistakes.map((m) => [key(m), m])).values()]
}

/** A setting taken over from `kafka:` is pointed at where it stands. */
function locate(path: readonly string[], pipeline: readonly string[], own: Record<string, unknown>): string[] {
  return own[path[0]!] === undefined ? ['kafka', ...path] : [...pipeline, ...path]
}

function kafkaOf(value: unknown, mistakes: Mistake[], origin: Origin): KafkaDefaults & { readonly mistaken: boolean } {
  if (value === undefined) return { mistaken: false }
  const parsed = kafkaSchema.safeParse(value)
  if (parsed.success) return { ...parsed.data, mistaken: false }
  mistakes.push(...mistakesOf(parsed.error.issues, ['kafka'], origin))
  // The group is there: its own mistakes are said once, not again as missing brokers at every pipeline.
  return { mistaken: true }
}

function withNearZones(mistakes: Mistake[], zone: unknown): Mistake[] {
  if (typeof zone !== 'string') return mistakes
  const meant = didYouMean(zone, ['UTC', ...Intl.supportedValuesOf('timeZone')])
  return mistakes.map((m) => (m.path[0] === 'zone' && meant !== null ? { ...m, right: `did you mean ${meant}?` } : m))
}

function syntaxMistake(error: YAMLError, lines: LineCounter): Mistake {
  const { line, col } = lines.linePos(error.pos[0])
  const right = error.code === 'DUPLICATE_KEY' ? 'keep one of the two' : 'mend this line first; what follows could not be read'
  return {
    path: [],
    at: { line, column: col },
    what: error.code === 'DUPLICATE_KEY' ? 'this key stands here twice' : lower(error.message),
    right,
  }
}

function inFileOrder(mistakes: readonly Mistake[]): Mistake[] {
  const place = (m: Mistake) => (m.at === null ? 0 : m.at.line * 10_000 + m.at.column)
  return [...mistakes].sort((a, b) => place(a) - place(b))
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).split('\n', 1)[0]!
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part as object)
  return Object.freeze(value)
}
