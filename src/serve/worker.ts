/** The part of the service that works: jobs out of the queue, and those that were asked for into it. */
import { randomBytes } from 'node:crypto'
import type { ServiceSettings } from '../config/service.ts'
import { HeadwaterError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../workflow/clock.ts'
import type { DiagnosePorts } from '../workflow/diagnose-incident.ts'
import { housesOf } from '../workflow/house.ts'
import type { Chat, Handle, Queue, Store } from '../workflow/incident-ports.ts'
import { pump } from '../workflow/pump.ts'
import { teller } from '../workflow/teller.ts'
import { handlerOf } from '../workflow/work.ts'
import type { Counts } from './figures.ts'
import { judgedEvidence } from './judged.ts'
import { incidentIn } from './told-store.ts'

export interface WorkerOptions {
  readonly settings: Pick<ServiceSettings, 'audiences' | 'slack' | 'unmappedChannel' | 'ledger' | 'zone'>
  readonly store: Store
  readonly queue: Queue
  readonly chat: Chat
  readonly look: Pick<DiagnosePorts, 'examine' | 'propose' | 'draw'>
  readonly clock: Clock
  readonly log: Log
  readonly counts: Counts
}

export interface Worker {
  /** Lets running jobs finish for `graceMs`, then hands them back. */
  readonly close: (graceMs: number) => Promise<void>
}

export async function startWorker({ settings, store, queue, chat, look, clock, log, counts }: WorkerOptions): Promise<Worker> {
  const { audiences, slack, unmappedChannel, ledger, zone } = settings
  const evidence = judgedEvidence(store.bytes)
  const handle = handlerOf({
    ...look,
    store,
    chat,
    clock,
    nowMs: clock.nowMs,
    ledgerKey: ledger.key,
    teller: teller({ ...evidence, zone }),
    freshSalt: () => randomBytes(16).toString('hex'),
    house: housesOf(audiences, slack.team, unmappedChannel),
    asideTold: (input, error) => {
      const { kind, pipeline, key } = input
      log.error('an input could not be dealt with and was set aside', {
        kind,
        pipeline,
        key,
        err: error,
        ...('incident' in input ? { incident: input.incident } : {}),
      })
    },
    look: async (incident) => {
      log.warn('recovery is not looked at yet', { incident })
      return null
    },
  })
  await queue.work(counted(handle, log, counts))
  const stopping = new AbortController()
  const pumping = pump({ store, queue, clock }, stopping.signal, (says, again) => {
    if (again) log.warn('jobs cannot be handed to the queue now; it is tried again', { why: says })
    else log.error('jobs cannot be handed to the queue', { why: says })
  })
  return {
    async close(graceMs) {
      stopping.abort()
      await Promise.all([pumping, queue.close(graceMs)])
    },
  }
}

function counted(handle: Handle, log: Log, counts: Counts): Handle {
  return async (job, signal) => {
    const begin = performance.now()
    const ended = (outcome: string): void => counts.job(job.kind, outcome, (performance.now() - begin) / 1000)
    try {
      const again = await handle(job, signal)
      ended(signal.aborted ? 'handed_back' : again === null ? 'done' : 'again')
      return again
    } catch (error) {
      const passing = error instanceof HeadwaterError && error.retryable
      ended(signal.aborted ? 'handed_back' : passing ? 'failed' : 'broken')
      if (!passing) log.error('a job broke', { ...incidentIn(job.key), job: job.key, kind: job.kind, err: error })
      throw error
    }
  }
}
