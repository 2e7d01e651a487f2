/**
 * How long slots need for a list of tasks. Whatever the order in which a scheduler starts them, never leaving a slot idle while one
 * waits, they are done after at least max(total / slots, longest) and at most total / slots + longest x (1 - 1 / slots)
 * (Graham 1969, Bounds on multiprocessing timing anomalies); and in each stretch as long as the longest every slot ends a task, so
 * ceil(tasks / slots) such stretches suffice.
 */
import { duration } from '../incident/format.ts'
import type { Interval } from './interval.ts'

/** Equal tasks: `count` of them, `seconds` each. */
export interface Tasks {
  readonly count: number
  readonly seconds: number
}

export function totalOf(tasks: readonly Tasks[]): number {
  return tasks.reduce((sum, task) => sum + task.count * task.seconds, 0)
}

/** More tasks than this are not dealt out one by one. */
const MANY_TASKS = 1000

/** One way a scheduler may take: the slot that is free first takes the next task. Between the two ends where there are very many. */
export function inTurn(tasks: readonly Tasks[], slots: number): number {
  if (tasks.reduce((sum, task) => sum + task.count, 0) > MANY_TASKS) return spanOf(tasks, slots).reduce((a, b) => a + b, 0) / 2
  const free = new Array<number>(Math.max(1, Math.round(slots))).fill(0)
  for (const { count, seconds } of tasks) {
    for (let i = 0; i < count; i++) {
      let first = 0
      for (let s = 1; s < free.length; s++) if ((free[s] as number) < (free[first] as number)) first = s
      free[first] = (free[first] as number) + seconds
    }
  }
  return Math.max(...free)
}

export function longestOf(tasks: readonly Tasks[]): number {
  return tasks.reduce((longest, task) => (task.count > 0 ? Math.max(longest, task.seconds) : longest), 0)
}

export function spanOf(tasks: readonly Tasks[], slots: number): Interval {
  const even = totalOf(tasks) / slots
  const longest = longestOf(tasks)
  const rounds = Math.ceil(tasks.reduce((sum, task) => sum + task.count, 0) / slots)
  return [Math.max(even, longest), Math.min(even + longest * (1 - 1 / slots), rounds * longest)]
}

/** The two ends as a sum that can be done again, e.g. "14 s / 4 at best, + 2 s × 3/4 at worst". */
export function spanInWords(total: number, longest: number, count: number, slots: number): string {
  const best = total / slots >= longest ? `${duration(total)} / ${slots}` : `the longest task`
  const rounds = Math.ceil(count / slots)
  const worst =
    rounds * longest <= total / slots + longest * (1 - 1 / slots)
      ? `${rounds === 1 ? 'one round' : `${rounds} rounds`} of ${duration(longest)}`
      : `${duration(total)} / ${slots} + ${duration(longest)} × ${slots - 1}/${slots}`
  return `${best} at best, ${worst} at worst`
}
