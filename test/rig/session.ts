// A session = one start of the streaming job with its own topic, checkpoint and table, and the producer that feeds it.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newestCommit } from './checkpoint.ts'
import { endExecutors } from './cluster.ts'
import type { JobOptions } from './job.ts'
import { startDriver, writeAppControl } from './job.ts'
import { createTopic } from './kafka.ts'
import type { Rig } from './layout.ts'
import { readJson, writeJson } from './layout.ts'
import { writeProducerControl } from './producer-control.ts'
import type { SessionPlan } from './session-plan.ts'
import { forgetLoad } from './standing-load.ts'

export interface Session {
  /** Counts up within a rig. */
  readonly number: number
  readonly plan: SessionPlan
  readonly topic: string
  readonly query: string
  readonly checkpoint: string
  readonly table: string
  readonly produceLog: string
  /** The configuration file for the product. */
  readonly config: string
  readonly startedMs: number
}

const PIPELINE = 'orders'
/** Enough records to make batches, too few to pile up while the JVMs are cold. */
const TRICKLE_PER_S = 40
export const FIRST_COMMIT_LIMIT_MS = 150_000

const file = (rig: Rig): string => join(rig.dir, 'session.json')

/** The session that runs now; undefined when its driver or producer has ended. */
export function currentSession(rig: Rig): Session | undefined {
  if (!existsSync(file(rig))) return undefined
  if (rig.processes.get('driver') === undefined || rig.processes.get('producer') === undefined) return undefined
  return readJson(file(rig)) as Session
}

function configText(rig: Rig, session: Omit<Session, 'config'>): string {
  return [
    'pipelines:',
    `  ${PIPELINE}:`,
    `    topic: ${session.topic}`,
    `    brokers: [${rig.brokers.join(', ')}]`,
    `    spark: http://127.0.0.1:${rig.ports.driverUi}`,
    `    query: ${session.query}`,
    `    checkpoint: ${session.checkpoint}`,
    `    table: ${session.table}`,
    '',
  ].join('\n')
}

/** Ends driver, producer and executors of the current session, if any. */
export async function endSession(rig: Rig): Promise<void> {
  await Promise.all([rig.processes.stop('producer', 5_000), rig.processes.stop('driver')])
  await endExecutors(rig)
}

/**
 * Starts a fresh topic and query. The producer is held to a trickle until the first commit: with full intake while the
 * JVMs are cold, minutes of backlog would follow. Throws when no batch is committed within 150 s.
 */
export async function startSession(rig: Rig, plan: SessionPlan): Promise<Session> {
  await endSession(rig)
  // what stood in the folder before was put on another session, whatever its number
  forgetLoad(rig)
  const before = existsSync(file(rig)) ? (readJson(file(rig)) as Session) : undefined
  const number = (before?.number ?? 0) + 1
  const folder = join(rig.dir, 'sessions', `${number}`)
  if (before !== undefined) discard(rig, before)
  mkdirSync(folder, { recursive: true })
  const session: Session = {
    number,
    plan,
    topic: `orders-s${number}`,
    query: PIPELINE,
    checkpoint: join(folder, 'ckpt'),
    table: join(folder, 'table'),
    produceLog: join(folder, 'produced.jsonl'),
    config: join(folder, 'headwater.yaml'),
    startedMs: Date.now(),
  }
  writeFileSync(session.config, configText(rig, session))
  await createTopic(rig.brokers, session.topic, plan.partitions)
  writeAppControl(rig.appControl, { cpuUs: 0, waitUs: 0 })
  const weights = new Array<number>(plan.partitions).fill(1)
  writeProducerControl(rig.producerControl, { rate: TRICKLE_PER_S, weights, paused: true })
  const { topic, checkpoint } = session
  await startDriver(rig, jobOf(session))
  rig.processes.start('producer', process.execPath, [
    join(import.meta.dirname, 'producer.ts'),
    rig.brokers.join(','),
    topic,
    rig.producerControl,
    session.produceLog,
  ])
  // the query takes "latest" as its start when it begins: records before that would be passed over
  await waitFor(rig, FIRST_COMMIT_LIMIT_MS, () => existsSync(join(checkpoint, 'metadata')))
  writeProducerControl(rig.producerControl, { rate: TRICKLE_PER_S, weights })
  await waitFor(rig, FIRST_COMMIT_LIMIT_MS, () => newestCommit(checkpoint) >= 0)
  writeJson(file(rig), session)
  return session
}

/** What the query of a session is started with. */
export function jobOf({ topic, query, checkpoint, table, plan }: Session): JobOptions {
  const { triggerMs, eventLog, metrics } = plan
  return { topic, query, checkpoint, table, triggerMs, eventLog, metrics }
}

/** Frees the disk of an ended session; its produce log and configuration stay. */
function discard(rig: Rig, session: Session): void {
  for (const folder of [session.checkpoint, session.table, join(rig.dir, 'eventlog'), join(rig.dir, 'work')]) {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits for a batch of the query to get so far. Throws when driver or producer end meanwhile, and when time is up. */
export async function waitFor(rig: Rig, limitMs: number, condition: () => boolean): Promise<void> {
  const until = Date.now() + limitMs
  while (!condition()) {
    for (const name of ['driver', 'producer']) {
      if (name === 'producer' && !rig.processes.all().has(name)) continue
      if (rig.processes.get(name) === undefined) throw new Error(`the ${name} ended; see ${rig.processes.logFile(name)}`)
    }
    if (Date.now() > until) throw new Error(`no batch committed within ${limitMs / 1000} s; see ${rig.processes.logFile('driver')}`)
    await sleep(100)
  }
}
