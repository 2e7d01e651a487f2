/** The part of the service that works: jobs out of the queue, and those that were asked for into it. */
import { randomBytes } from 'node:crypto'
import type { ServiceSettings } from '../config/service.ts'
import { HeadwaterError } from '../errors.ts'
import { incidentIn } from '../incident/incident-in.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../workflow/clock.ts'
import { housesOf } from '../workflow/house.ts'
import type { Chat, Handle, Job, Queue, Store } from '../workflow/incident-ports.ts'
import type { Source } from '../workflow/ports.ts'
import { pump } from '../workflow/pump.ts'
import { teller } from '../workflow/teller.ts'
import type { WorkPorts } from '../workflow/work.ts'
import { handlerOf } from '../workflow/work.ts'
import { createDrawer } from './drawer.ts'
import type { Counts } from './figures.ts'
import { judgedEvidence } from './judged.ts'
import { lookPorts } from './look-ports.ts'

export interface WorkerOptions {
  readonly settings: Pick<ServiceSettings, 'pipelines' | 'audiences' | 'slack' | 'unmappedChannel' | 'ledger' | 'zone'>
  readonly store: Store
  readonly queue: Queue
  readonly chat: Chat
  /** undefined = the real ones. */
  readonly sources: readonly Source[] | undefined
  readonly clock: Clock
  readonly log: Log
  readonly counts: Counts
}

export interface Worker {
  /** Lets running jobs finish for `graceMs`, then hands them back. */
  readonly close: (graceMs: number) => Promise<void>
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { settings, store, queue, clock, log, sources } = options
  const drawer = createDrawer(settings.zone)
  const look = lookPorts({ pipelines: settings.pipelines, sources, clock, drawer })
  const shared = sharedPorts(options)
  await queue.work(
    counted(options, ({ about, aboutIncident }) =>
      handlerOf({
        ...shared,
        ...look(about()),
        aboutIncident,
        asideTold: ({ kind, pipeline, key }, error) => {
          about().error('an input could not be dealt with and was set aside', { kind, pipeline, input: key, err: error })
        },
      }),
    ),
  )
  const stopping = new AbortController()
  const pumping = pump({ store, queue, clock }, stopping.signal, (says, again) => {
    if (again) log.warn('jobs cannot be handed to the queue now; it is tried again', { why: says })
    else log.error('jobs cannot be handed to the queue', { why: says })
  })
  return {
    async close(graceMs) {
      stopping.abort()
      await Promise.all([pumping, queue.close(graceMs)])
      await drawer.close()
    },
  }
}

/** What is the same for every job. */
function sharedPorts({ settings, store, chat, clock }: WorkerOptions): Omit<WorkPorts, 'examine' | 'draw' | 'drawCheck' | 'asideTold'> {
  const { audiences, slack, unmappedChannel, ledger, zone } = settings
  const evidence = judgedEvidence(store.bytes)
  return {
    store,
    chat,
    clock,
    nowMs: clock.nowMs,
    ledgerKey: ledger.key,
    teller: teller({ ...evidence, zone }),
    judge: evidence.judge,
    freshSalt: () => randomBytes(16).toString('hex'),
    house: housesOf(audiences, slack.team, unmappedChannel),
  }
}

/** The log of one job. The inbox of a pipeline says only once it is read which incident it is about. */
interface JobLog {
  readonly about: () => Log
  readonly aboutIncident: (id: string) => void
}

/** Each job is counted, and handled with a log that names the job and its incident on every line. */
function counted({ log, counts }: WorkerOptions, handlerWith: (jobLog: JobLog) => Handle): Handle {
  return async (job, signal) => {
    const begin = performance.now()
    const ended = (outcome: string): void => counts.job(job.kind, outcome, (performance.now() - begin) / 1000)
    const plain = log.about({ job: job.key })
    let about = plain.about(incidentIn(job.key))
    const aboutIncident = (incident: string): void => {
      about = plain.about({ incident })
    }
    try {
      const again = await handlerWith({ about: () => about, aboutIncident })(job, signal)
      ended(signal.aborted ? 'handed_back' : again === null ? 'done' : 'again')
      return again
    } catch (error) {
      const passing = error instanceof HeadwaterError && error.retryable
      ended(signal.aborted ? 'handed_back' : passing ? 'failed' : 'broken')
      if (!passing) about.error('a job broke', { err: error, ...said(job) })
      throw error
    }
  }
}

const said = ({ kind, of }: Job) => ({ kind, of })
