/**
 * The queue in Redis by BullMQ, shared by any number of processes on any number of machines. A job is run at least once: where a
 * process dies, another one takes its jobs over within ten seconds.
 *
 * The job's key is BullMQ's id: adding it twice is adding it once, also while a job that has ended is still remembered. So whoever
 * wants work done *again* asks under another key, as the store does for every input that is to be attended.
 */
import type { Job as BullJob } from 'bullmq'
import { Queue as BullQueue, DelayedError, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../errors.ts'
import type { Clock } from '../workflow/clock.ts'
import type { Handle, Job, Queue } from '../workflow/incident-ports.ts'
import { jobFormat } from '../workflow/job-format.ts'
import { seal, unseal } from '../workflow/stored.ts'
import { atMost } from './at-most.ts'
import { attempt } from './attempt.ts'
import { connectForAdding, connectForWork, unavailable } from './bullmq-connection.ts'
import type { AtOnce, Lane } from './lanes.ts'
import { laneNames, laneOf } from './lanes.ts'
import type { Pauses } from './pause.ts'
import { pauseMs, usualPauses } from './pause.ts'
import type { Trouble } from './trouble.ts'
import { troubleOf } from './trouble.ts'

/** A lock is held for 7 s and renewed every 3.5 s; every 1.5 s somebody looks for locks that ran out. */
const lock = { lockDuration: 7_000, stalledInterval: 1_500 }

/** A job that takes its process down each time is given up: it would take all of them down, for ever. */
const mostTakenOver = 25

/** A week of tries at one a minute. */
const attempts = 10_000

/** Ended jobs that are remembered (seconds, number). */
const remembered = { removeOnComplete: { age: 86_400, count: 5_000 }, removeOnFail: { age: 7 * 86_400, count: 1_000 } }

/** For steps of closing that hang when Redis is away, ms. */
const farewellMs = 1_000

export interface BullmqOptions {
  readonly url: string
  /** Of every key, e.g. "headwater". */
  readonly prefix: string
  readonly clock: Clock
  readonly atOnce: AtOnce
  readonly troubled: (trouble: Trouble) => void
  readonly pauses?: Pauses
}

/** Jobs of a lane by what becomes of them now. */
export type Depth = Readonly<Record<'waiting' | 'delayed' | 'active' | 'failed', number>>

export interface BullmqQueue extends Queue {
  /** Of all processes together. @throws HeadwaterError queue_unavailable */
  readonly depth: () => Promise<Readonly<Record<Lane, Depth>>>
}

/** @throws HeadwaterError queue_unavailable when Redis cannot be reached at the start */
export async function bullmqQueue({ url, prefix, clock, atOnce, troubled, pauses = usualPauses }: BullmqOptions): Promise<BullmqQueue> {
  const told = (error: Error): void => troubled(troubleOf(null, error, true))
  const adding = await connectForAdding(url, told)
  const connections: Redis[] = [adding]
  const queues = laneNames.map((lane) => {
    const queue = new BullQueue(lane, { connection: adding, prefix: `${prefix}:queue`, skipWaitingForReady: true })
    queue.on('error', told)
    return queue
  })
  const workers: Worker[] = []
  const running = new Map<AbortController, Promise<unknown>>()
  let closing = false

  /** What a worker does with a job of BullMQ: ours is in it as text. */
  const process = async (bull: BullJob<string>, token: string, handle: Handle): Promise<void> => {
    if (closing) return handBack(bull, token)
    const controller = new AbortController()
    const { signal } = controller
    const going = attempt(async () => handle(unseal(jobFormat, bull.data), signal), signal)
    running.set(controller, going)
    const ending = await going
    running.delete(controller)
    if (ending.kind === 'handed_back') return handBack(bull, token)
    if (ending.kind === 'done' && ending.againMs !== null) return runAgain(bull, token, ending.againMs)
    if (ending.kind === 'failed') throw ending.again ? ending.error : new UnrecoverableError(messageOf(ending.error))
  }

  const startWorker = (lane: Lane, handle: Handle): Worker => {
    const connection = connectForWork(url, told)
    connections.push(connection)
    const worker = new Worker<string>(lane, (bull, token) => process(bull, token ?? '', handle), {
      ...lock,
      ...remembered,
      connection,
      prefix: `${prefix}:queue`,
      concurrency: atOnce[lane],
      maxStalledCount: mostTakenOver,
      runRetryDelay: 1_000,
      settings: { backoffStrategy: (failures) => pauseMs(failures, pauses) },
    })
    worker.on('error', told)
    worker.on('failed', (bull, error) => troubled(troubleOf(keyOf(bull), error, !(error instanceof UnrecoverableError))))
    return worker
  }

  return {
    async add(jobs) {
      const now = clock.nowMs()
      const bulk = (lane: Lane) => jobs.filter(({ kind }) => laneOf(kind) === lane).map((job) => bullJob(job, now))
      try {
        await Promise.all(laneNames.map((lane, i) => queues[i]!.addBulk(bulk(lane))))
      } catch (error) {
        throw unavailable(error)
      }
    },
    async depth() {
      try {
        const each = await Promise.all(queues.map(depthOf))
        return Object.fromEntries(laneNames.map((lane, i) => [lane, each[i]])) as Record<Lane, Depth>
      } catch (error) {
        throw unavailable(error)
      }
    },
    async work(handle) {
      for (const lane of laneNames) workers.push(startWorker(lane, handle))
    },
    async close(graceMs) {
      closing = true
      for (const worker of workers) worker.pause(true).catch(told)
      await atMost(graceMs, Promise.allSettled(running.values()))
      for (const controller of running.keys()) controller.abort()
      await atMost(farewellMs, Promise.all(workers.map((worker) => worker.close())))
      for (const redis of connections) redis.disconnect()
    },
  }
}

async function depthOf(queue: BullQueue): Promise<Depth> {
  const { waiting = 0, delayed = 0, active = 0, failed = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active', 'failed')
  return { waiting, delayed, active, failed }
}

/** Another worker may take it at once, and it does not count as a failure. */
async function handBack(bull: BullJob<string>, token: string): Promise<never> {
  await bull.moveToWait(token)
  throw new WaitingError()
}

/** As late as it asks for, and it does not count as a failure. */
async function runAgain(bull: BullJob<string>, token: string, atMs: number): Promise<never> {
  await bull.moveToDelayed(atMs, token)
  throw new DelayedError()
}

/** BullMQ refuses ids with ":" in them and ids that are a number. */
function idOf(key: string): string {
  return `.${encodeURIComponent(key.toWellFormed())}`
}

function keyOf(bull: BullJob<string> | undefined): string | null {
  return bull?.id === undefined ? null : decodeURIComponent(bull.id.slice(1))
}

function bullJob(job: Job, nowMs: number) {
  const opts = {
    jobId: idOf(job.key),
    delay: Math.max(job.dueAtMs - nowMs, 0),
    attempts,
    backoff: { type: 'custom' },
    stackTraceLimit: 1,
  }
  return { name: job.kind, data: seal(jobFormat, job), opts }
}
