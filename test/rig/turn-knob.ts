// What an operator does on this rig with a change that was agreed on; and what one does who has misread it.
import { setTimeout as sleep } from 'node:timers/promises'
import { newestCommit } from './checkpoint.ts'
import { endExecutors } from './cluster.ts'
import type { JobOptions } from './job.ts'
import { startDriver } from './job.ts'
import { withAdmin } from './kafka.ts'
import type { Rig } from './layout.ts'
import { METADATA_AGE_MS } from './producer-control.ts'
import type { Session } from './session.ts'
import { FIRST_COMMIT_LIMIT_MS, jobOf, waitFor } from './session.ts'

/** One setting by the name that its owner would search for, and its new value in its own unit. */
export interface AgreedChange {
  readonly knob: string
  readonly to: number
}

/** Settings that are fixed when a query starts. */
const settings: Readonly<Record<string, (to: number) => Partial<JobOptions>>> = {
  minPartitions: (to) => ({ minPartitions: to }),
  maxOffsetsPerTrigger: (to) => ({ maxOffsets: to }),
  'trigger interval': (to) => ({ triggerMs: to * 1000 }),
}

/** Turns the knob and waits until the query works with it. @returns what was done, one sentence. Throws for a knob this rig has no hands for. */
export async function turnKnob(rig: Rig, session: Session, { knob, to }: AgreedChange): Promise<string> {
  const setting = settings[knob]
  if (setting === undefined) throw new Error(`the rig's operator cannot turn ${knob}`)
  await restartQuery(rig, session, setting(to))
  return `the query was started anew on its checkpoint with ${knob} = ${to}`
}

/** Stops the query and starts it on the same checkpoint. Producer, topic and table go on: what arrives meanwhile waits. Resolves with its first commit. */
export async function restartQuery(rig: Rig, session: Session, changed: Partial<JobOptions>): Promise<void> {
  await rig.processes.stop('driver')
  await endExecutors(rig)
  const before = newestCommit(session.checkpoint)
  await startDriver(rig, { ...jobOf(session), ...changed })
  await waitFor(rig, FIRST_COMMIT_LIMIT_MS, () => newestCommit(session.checkpoint) > before)
}

/**
 * Gives the topic more partitions, and waits until the producer can know of them. A key goes on living in one partition, however many
 * there are: what is hot stays hot.
 */
export async function growTopic(rig: Rig, session: Session, partitions: number): Promise<void> {
  await withAdmin(rig.brokers, (admin) => admin.createPartitions({ topicPartitions: [{ topic: session.topic, count: partitions }] }))
  await sleep(2 * METADATA_AGE_MS)
}

/** Tasks of the newest finished stage that read records, as the driver's own page says; 0 = there is none yet. */
export async function tasksOfNewestBatch(rig: Rig): Promise<number> {
  const api = `http://127.0.0.1:${rig.ports.driverUi}/api/v1/applications`
  const json = async (path: string): Promise<unknown> =>
    await (await fetch(`${api}${path}`, { signal: AbortSignal.timeout(10_000) })).json()
  const [app] = (await json('')) as { readonly id: string }[]
  const stages = (await json(`/${app?.id}/stages?status=complete&details=false&length=40`)) as {
    numTasks: number
    inputRecords: number
    stageId: number
  }[]
  const reading = stages.filter((stage) => stage.inputRecords > 0).sort((a, b) => b.stageId - a.stageId)
  // Delta's own stages read its log; that of the query has as many tasks as there are partitions with records, or more.
  return Math.max(0, ...reading.slice(0, 6).map((stage) => stage.numTasks))
}
