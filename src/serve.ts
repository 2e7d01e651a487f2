/**
 * The running service: takes in what Slack and alert senders bring (role app), does the work (role worker), or both (role all). Any number
 * of processes of any role share one Redis.
 */
import { systemClock } from './app.ts'
import type { Listen } from './config/config.ts'
import type { ServiceSettings } from './config/service.ts'
import { HeadwaterError } from './errors.ts'
import { routerOf } from './incident/audience.ts'
import type { Log } from './log.ts'
import type { Embedded, OpenQueue } from './serve/backing.ts'
import { backingOf } from './serve/backing.ts'
import { createCounts } from './serve/figures.ts'
import { queueTrouble } from './serve/queue-trouble.ts'
import { toldStore } from './serve/told-store.ts'
import type { Beside, Told } from './serve/work-beside.ts'
import type { Worker } from './serve/worker.ts'
import { startWorker } from './serve/worker.ts'
import type { SlackApp } from './slack/app.ts'
import { serveSlack } from './slack/app.ts'
import { connectSlack } from './slack/connect.ts'
import type { Figures } from './triggers/metrics.ts'
import { createMetrics } from './triggers/metrics.ts'
import type { Checks } from './triggers/operations.ts'
import type { Triggers } from './triggers/serve.ts'
import { serveTriggers } from './triggers/serve.ts'
import type { Clock } from './workflow/clock.ts'
import type { Source } from './workflow/ports.ts'

export { stepBack } from './serve/priority.ts'
export type { Told } from './serve/work-beside.ts'
export { toldToStarter, workBeside } from './serve/work-beside.ts'

export type Role = 'app' | 'worker' | 'all'

export interface ServeOptions {
  readonly settings: ServiceSettings
  readonly role: Role
  readonly log: Log
  /** Absent = the real ones. */
  readonly sources?: readonly Source[]
  readonly clock?: Clock
  /** Address of Slack's Web API; absent = Slack's own. */
  readonly slackApiUrl?: string
  /** Absent or null = the Redis of the settings. Closed with the service. */
  readonly embedded?: Embedded | null
  /** Where health and metrics are served; absent = as the settings say, null = not by this process. */
  readonly operations?: Listen | null
  /** How a process beside this one is doing, which does its work; absent = there is none. */
  readonly beside?: Pick<Beside, 'ask' | 'figures'>
  /** Ends the start, e.g. the wait for a Redis that is away. */
  readonly signal?: AbortSignal
}

export interface Served {
  /** Where it listens; null = it does not. The ports are the real ones. */
  readonly webhooks: Listen | null
  readonly operations: Listen | null
  /** Where Slack's requests go; null = none come: the connection to Slack is our own, or another process has it. */
  readonly slack: Listen | null
  /** What this process counts, and whether its work is going well. */
  readonly tell: () => Promise<Told>
  /** Takes in nothing new, lets what is under way finish for `graceMs` and hands the rest back; takes at most some 2.5 s longer. */
  readonly close: (graceMs: number) => Promise<void>
}

/**
 * Resolves when everything runs. A Redis that is away is waited for; until it is back whoever brings something is told so.
 * @throws HeadwaterError slack_refused, address_taken, store_mistaken when Redis is refused, interrupted
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { settings, role, log, beside, clock = systemClock, embedded = null, signal = new AbortController().signal } = options
  const counts = createCounts()
  const backing = backingOf({ settings, embedded, clock, log, troubled: queueTrouble(log) })
  const store = toldStore(backing.store, log, counts)
  const running: { triggers: Triggers | null; slack: SlackApp | null; queue: OpenQueue | null; worker: Worker | null } = {
    triggers: null,
    slack: null,
    queue: null,
    worker: null,
  }
  const connect = {
    access: settings.slack,
    log,
    nowMs: clock.nowMs,
    ...(options.slackApiUrl === undefined ? {} : { apiUrl: options.slackApiUrl }),
  }
  const connected = role === 'worker' ? connectSlack(connect) : null

  const checks: Checks = {
    store: backing.checkStore,
    slack: async () => {
      if (connected !== null) return connected.ourselves.ask().then(() => null)
      return running.slack === null ? 'is not connected yet' : await running.slack.check()
    },
    ...(role === 'app' ? {} : { queue: work }),
    ...(beside === undefined ? {} : { queue: async () => (await beside.ask()).trouble }),
  }
  const figures: readonly Figures[] = [
    counts.figures,
    async () => (await running.queue?.figures()) ?? [],
    ...(beside === undefined ? [] : [beside.figures]),
  ]

  async function work(): Promise<string | null> {
    return running.worker === null ? 'does not work yet' : ((await running.queue?.check()) ?? null)
  }

  async function tell(): Promise<Told> {
    // What it has counted is told also while Redis is away.
    const [counted, queued, store, trouble] = await Promise.all([
      counts.figures(),
      (running.queue?.figures() ?? Promise.resolve([])).catch(() => []),
      checks.store!().catch(() => 'does not answer'),
      role === 'app' ? null : work().catch(() => 'does not answer'),
    ])
    return { figures: [...counted, ...queued], trouble: store === null ? trouble : `store ${store}` }
  }

  async function close(graceMs: number): Promise<void> {
    const { triggers, slack, worker } = running
    await Promise.all([triggers?.close(graceMs), slack?.close(graceMs), worker?.close(graceMs)])
    await backing.store.close()
  }

  try {
    running.triggers = await startTriggers()
    if (role !== 'worker') {
      const { audiences, unmappedChannel, zone } = settings
      running.slack = await serveSlack({ ...connect, audiences, unmappedChannel, zone, store })
    }
    if (signal.aborted) throw new HeadwaterError('interrupted', 'stopped before everything ran')
    await backing.accepted(signal)
    if (role !== 'app') {
      running.queue = await backing.openQueue(signal)
      const chat = (running.slack ?? connected)!.chat
      const { queue } = running.queue
      running.worker = await startWorker({ settings, store, queue, chat, sources: options.sources, clock, log, counts })
    }
  } catch (error) {
    await close(0)
    throw error
  }

  async function startTriggers(): Promise<Triggers | null> {
    const { webhooks, audiences } = settings
    const doors = role === 'worker' ? null : webhooks
    const operations = options.operations === undefined ? (webhooks?.operations ?? null) : options.operations
    if (doors === null && operations === null) return null
    const ports = { put: store.put, pipelinesOf: routerOf(audiences), nowMs: clock.nowMs }
    return await serveTriggers({ doors, operations, ports, checks, metrics: createMetrics(figures, true), log })
  }

  for (const { pipeline, channels } of settings.audiences) {
    if (channels.length === 0) log.warn('nobody can ask about a pipeline: it has no channel', { pipeline })
  }
  const { triggers, slack } = running
  const served = { webhooks: triggers?.webhooks ?? null, operations: triggers?.operations ?? null, slack: slack?.listens ?? null }
  log.info('serving', { role, ...served })
  return { ...served, tell, close }
}
