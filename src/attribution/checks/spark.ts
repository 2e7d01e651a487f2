/**
 * What the driver itself tells of executors, stages and tasks: its REST API, and never a page of the streaming tab, because reading
 * that one changes the driver's state (rig-spark.md T1). What is expected is written as Spark prints it.
 */
import { withoutLogin } from '../../incident/address.ts'
import type { Stage } from '../../incident/evidence.ts'
import { grouped } from '../../incident/format.ts'
import { quoted } from '../../incident/shell-word.ts'
import { taskFacts, workStage } from '../../timeline/tasks.ts'
import type { TimedBatch } from '../../timeline/timeline.ts'
import type { Check, NoCheck } from '../attribution.ts'
import type { Facts } from '../facts.ts'

const NO_STAGE: NoCheck = { none: 'no stage of a slow batch is listed with its tasks' }

/** An address from a bundle leads to the REST API or nowhere. */
function address(facts: Facts): string {
  const { look } = facts.timeline.pipeline
  const said = withoutLogin(look?.spark ?? '').replace(/\/+$/, '')
  const driver = /^https?:\/\/[^\s?#]+$/i.test(said) && !/StreamingQuery/i.test(said) ? said : 'http://DRIVER:4040'
  return `${driver}/api/v1/applications/${encodeURIComponent(look?.app ?? 'APP')}`
}

/** @param show what is worth reading of the answer: words with | between them */
function spark(facts: Facts, path: string, show: string, expect: string): Check {
  return { command: `curl -s ${quoted(`${address(facts)}/${path}`)} | grep ${show.includes('|') ? '-E ' : ''}${quoted(show)}`, expect }
}

export function executorsCheck(facts: Facts, expect: string): Check {
  return spark(facts, 'allexecutors', '"id"|isActive|remove', expect)
}

/** How many executors there are now. */
export function executorCountCheck(facts: Facts): Check {
  const count = facts.timeline.executors.v.at(-1)
  const expect = typeof count === 'number' ? `${count} with "isActive" : true beside the driver` : 'no removeTime after the onset'
  return executorsCheck(facts, expect)
}

/** Whether an executor that has work gets anything done. */
export function standsCheck(facts: Facts, executor: string): Check {
  const expect = `"completedTasks" of executor ${executor} the same 10 s later, its "activeTasks" above 0`
  return spark(facts, 'allexecutors', '"id"|activeTasks|completedTasks', expect)
}

interface Worked {
  readonly batch: TimedBatch
  readonly stage: Stage
}

/** The work of the newest slow batch that has finished it. */
function newestWork(facts: Facts): Worked | null {
  for (const batch of [...(facts.episode?.ill ?? [])].reverse()) {
    const stage = workStage(batch)
    if (stage !== null && !stage.running && Number.isInteger(stage.id) && taskFacts(stage) !== null) return { batch, stage }
  }
  return null
}

/** Times of the tasks of the newest slow batch, as Spark itself sums them up. */
export function tasksCheck(facts: Facts): Check | NoCheck {
  const work = newestWork(facts)
  const tasks = work === null ? null : taskFacts(work.stage)
  if (work === null || tasks === null) return NO_STAGE
  const whole = work.stage.task_ms?.median !== undefined
  const expect = `about ${grouped(tasks.medianMs)} and ${grouped(tasks.maxMs)} ms: the median and the longest task of batch ${work.batch.id}`
  return spark(
    facts,
    `stages/${work.stage.id}/0/taskSummary?quantiles=0.5,1.0`,
    whole ? 'duration' : 'executorRunTime',
    `"${whole ? 'duration' : 'executorRunTime'}" of ${expect}`,
  )
}

/** Tasks that run now, in the batch that runs now. */
export function runningTasksCheck(facts: Facts): Check | NoCheck {
  const batch = facts.episode?.ill.find((one) => one.open)
  const stage = batch ? workStage(batch) : null
  const running = stage?.running_tasks ?? []
  if (!stage?.running || !Number.isInteger(stage.id) || running.length === 0) return NO_STAGE
  const oldest = Math.max(...running.map((task) => task.ms)) / 1000
  const launched = (stage.seen_at ?? facts.timeline.now) - oldest
  return spark(
    facts,
    `stages/${stage.id}/0/taskList?status=running`,
    'launchTime|executorId',
    `while it still runs: ${running.length} tasks, the oldest with a launchTime of {at ${launched.toFixed(1)}}`,
  )
}

/** Sums over the tasks of the newest slow batch: what a record costs is their quotient. */
export function stageCheck(facts: Facts): Check | NoCheck {
  const work = newestWork(facts)
  if (work === null || work.stage.run_ms === undefined) return NO_STAGE
  const { stage, batch } = work
  const cpu = stage.cpu_ms === undefined ? '' : `, "executorCpuTime" ${grouped(stage.cpu_ms)} ms (it prints nanoseconds)`
  const rows = stage.rows === undefined ? '' : `, "inputRecords" ${stage.rows}`
  return spark(
    facts,
    `stages/${stage.id}?details=false`,
    'executor(Run|Cpu)Time|inputRecords',
    `"executorRunTime" ${Math.round(stage.run_ms as number)} ms${cpu}${rows} (batch ${batch.id})`,
  )
}

/** Records that a batch read, where the stage that read them tells; null = it does not. */
export function inputCheck(facts: Facts, batch: TimedBatch): Check | null {
  const stage = (batch.stages ?? []).find((one) => one.name === 'source' && !one.running && one.rows !== undefined)
  if (stage === undefined || !Number.isInteger(stage.id)) return null
  return spark(facts, `stages/${stage.id}?details=false`, 'inputRecords', `"inputRecords" ${stage.rows} (batch ${batch.id})`)
}

/** On which executor the long tasks ran. */
export function taskPlacesCheck(facts: Facts): Check | NoCheck {
  const work = newestWork(facts)
  if (work === null) return NO_STAGE
  const slowest = taskFacts(work.stage)?.slowestExecutor ?? facts.tasksNow?.slowestExecutor ?? null
  const expect = slowest === null ? 'the executors of the longest tasks' : `whether the longest are those of executor ${slowest.executor}`
  return spark(
    facts,
    `stages/${work.stage.id}/0/taskList?sortBy=-runtime&length=20`,
    'executorId|duration',
    `${expect} (batch ${work.batch.id})`,
  )
}

/** DStreams list their batches themselves. */
export function dstreamsCheck(facts: Facts, batch: TimedBatch): Check {
  const processing = batch.duration_ms?.processing ?? batch.seconds * 1000
  const rows = typeof batch.rows === 'number' ? ` and "inputSize" ${batch.rows}` : ''
  const expect = `"processingTime" about ${Math.round(processing)}${rows} for the batch of {at ${(batch.batch_time ?? batch.start).toFixed(1)}}`
  return spark(facts, 'streaming/batches', 'batchId|processingTime|inputSize', expect)
}
