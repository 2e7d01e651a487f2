/** Read-only commands with which a person can check a number without us, and what they should print. */
import { withoutLogin } from '../incident/address.ts'
import { grouped } from '../incident/format.ts'
import { workStage } from '../timeline/tasks.ts'
import type { Check } from './attribution.ts'
import type { Facts } from './facts.ts'

/** Single-quotes a word for a POSIX shell: topic names and paths are not ours. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const bootstrap = (facts: Facts) => quoted(facts.timeline.pipeline.look?.bootstrap ?? 'BROKER:9092')

/** Log end of the partition(s) that matter: `kafka-get-offsets` prints topic:partition:offset. */
export function intakeCheck(facts: Facts, partition?: number): Check | undefined {
  const flow = partition === undefined ? facts.timeline.partitions[0] : facts.timeline.partitions.find((p) => p.partition === partition)
  if (!flow) return undefined
  const end = flow.arrived.v.at(-1) ?? flow.logEnd.v.at(-1)
  if (end === null || end === undefined) return undefined
  const only = partition === undefined ? '' : ` --partitions ${partition}`
  const total = facts.timeline.partitions.reduce<number | null>((sum, p) => {
    const v = p.arrived.v.at(-1) ?? p.logEnd.v.at(-1) ?? null
    return sum === null || v === null ? null : sum + v
  }, 0)
  const value = partition === undefined ? total : end
  if (value === null) return undefined
  return {
    command: `kafka-get-offsets.sh --bootstrap-server ${bootstrap(facts)} --topic ${quoted(flow.topic)}${only} --time latest`,
    expect: `${partition === undefined ? 'offsets that add up to at least' : 'at least'} ${grouped(value)}, rising`,
  }
}

export function executorsCheck(facts: Facts, expect: string): Check {
  const { look } = facts.timeline.pipeline
  const base = withoutLogin(look?.spark ?? 'http://DRIVER:4040')
  return { command: `curl -s ${quoted(`${base}/api/v1/applications/${look?.app ?? 'APP'}/allexecutors`)}`, expect }
}

/** Times of the tasks of the newest slow batch, as Spark itself sums them up. */
export function tasksCheck(facts: Facts): Check | undefined {
  const { look } = facts.timeline.pipeline
  for (const batch of [...(facts.episode?.ill ?? [])].reverse()) {
    const stage = workStage(batch)
    const times = stage?.task_ms
    if (stage === null || stage.running || times?.median === undefined || times.max === undefined) continue
    const base = `${withoutLogin(look?.spark ?? 'http://DRIVER:4040')}/api/v1/applications/${look?.app ?? 'APP'}`
    return {
      command: `curl -s ${quoted(`${base}/stages/${stage.id}/0/taskSummary?quantiles=0.5,1.0`)}`,
      expect: `"duration" of about ${grouped(times.median)} and ${grouped(times.max)} ms (batch ${batch.id})`,
    }
  }
  return undefined
}

export function tableLogCheck(facts: Facts, expect: string): Check | undefined {
  const { look } = facts.timeline.pipeline
  return look?.table === undefined ? undefined : { command: `ls -lt ${quoted(`${withoutLogin(look.table)}/_delta_log`)}`, expect }
}

export function checkpointCheck(facts: Facts, expect: string): Check | undefined {
  const { look } = facts.timeline.pipeline
  return look?.checkpoint === undefined ? undefined : { command: `ls -lt ${quoted(`${withoutLogin(look.checkpoint)}/commits`)}`, expect }
}
