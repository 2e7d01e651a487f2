/** A stage seen twice: the finished one wins, and what running tasks had read at each look is kept, for it tells busy from blocked. */

import { canonical, distinct } from '../incident/canonical.ts'
import type { RunningTask, Stage } from '../incident/evidence.ts'

/** Stages by id, each field from the best look that has it. Does not depend on the order. */
export function mergeStages(stages: readonly Stage[]): Stage[] {
  const byId = new Map<number, Stage[]>()
  for (const stage of distinct(stages)) byId.set(stage.id, [...(byId.get(stage.id) ?? []), stage])
  return [...byId]
    .sort(([a], [b]) => a - b)
    .map(([, looks]) => {
      const ordered = looks.sort(byKnowledge)
      const merged = Object.assign({}, ...ordered) as Stage
      const best = ordered.at(-1)
      const tasks = best?.running === true ? mergeTasks(ordered) : undefined
      return tasks === undefined || tasks.length === 0 ? dropRunning(merged, best?.running === true) : { ...merged, running_tasks: tasks }
    })
}

/** Less known first: running before finished, earlier look before later. */
function byKnowledge(a: Stage, b: Stage): number {
  return (
    Number(a.running !== true) - Number(b.running !== true) || (a.seen_at ?? 0) - (b.seen_at ?? 0) || (canonical(a) < canonical(b) ? -1 : 1)
  )
}

function dropRunning(stage: Stage, running: boolean): Stage {
  if (running || (stage.running_tasks === undefined && stage.running === undefined)) return stage
  const { running_tasks: _tasks, running: _running, ...rest } = stage
  return rest
}

/** Tasks of the latest look, each with the reads of all looks. A task that ended in between is no longer running. */
function mergeTasks(looks: readonly Stage[]): RunningTask[] {
  const latest = looks.at(-1)?.running_tasks ?? []
  const earlier = looks.flatMap((look) => look.running_tasks ?? [])
  return latest.map((task) => {
    const same = earlier.filter((other) => sameTask(other, task))
    const reads = distinct(same.flatMap((other) => other.reads ?? [])).sort((a, b) => a[0] - b[0])
    return reads.length === 0 ? task : { ...task, reads }
  })
}

/** Without its index a task cannot be told from another of the same executor, so it keeps its own reads only. */
function sameTask(a: RunningTask, b: RunningTask): boolean {
  if (a === b) return true
  return a.partition !== undefined && a.partition === b.partition && a.executor === b.executor && a.host === b.host
}
