// An unattended series: which drills, in which order, what is done already, and what all of them add up to.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { answerOf } from './answer.ts'
import { faultOf, namedFaults } from './faults/index.ts'
import { median } from './machine-watch.ts'
import { drawFrom } from './prng.ts'
import type { DrillRecord } from './truth.ts'

export interface Task {
  readonly kind: string
  readonly seed: number
}

/** One line of the results file: a drill, or why it could not be run. */
export type Result = DrillRecord | { readonly kind: string; readonly seed: number; readonly error: string }

/** "a,b", or "all" whose cause the product has. Throws on an unknown kind. */
export function parseKinds(text: string): string[] {
  if (text === 'all') return namedFaults.map((fault) => fault.kind)
  return text.split(',').map((kind) => faultOf(kind.trim()).kind)
}

/** "1-5", "2,4" or "1-3,7". Throws on anything else. */
export function parseSeeds(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [, from, to] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? []
    if (from === undefined) throw new Error(`seeds are like 1-5 or 2,4; not "${text}"`)
    const [first, last] = [Number(from), Number(to ?? from)]
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  })
}

/** All drills of a series. One seed is one start of the job; its kinds come in an order drawn by the seed. */
export function planSeries(kinds: readonly string[], seeds: readonly number[]): Task[] {
  return seeds.flatMap((seed) =>
    drawFrom('order', seed)
      .shuffled(kinds)
      .map((kind) => ({ kind, seed })),
  )
}

export function readResults(file: string): Result[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result)
}

export function appendResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`)
}

/** True for a drill that was run to its end with the machine out of the way. */
export const counts = (result: Result): result is DrillRecord => !('error' in result) && result.void === null

/** How often a drill is run at most: a void or failed one is repeated. */
const TRIES = 3

/** The drills still to be run, given what the results file holds. */
export function remaining(tasks: readonly Task[], results: readonly Result[]): Task[] {
  return tasks.filter(({ kind, seed }) => {
    const runs = results.filter((result) => result.kind === kind && result.seed === seed)
    return !runs.some(counts) && runs.length < TRIES
  })
}

export interface Totals {
  readonly counted: number
  readonly firstRight: number
  readonly faults: number
  readonly accepted: number
  readonly right: number
  readonly placeRight: number
  readonly wrong: number
  /** Wrong verdicts whose ranking starts at 0.9 or more. */
  readonly surelyWrong: number
  /** Inconclusive about what was not knowable: in none of the other figures. */
  readonly notKnowable: number
  readonly unasked: number
  readonly medianSeconds: number
}

/** Sums up drills that count. */
export function totalsOf(results: readonly Result[]): Totals {
  const all = results.filter(counts)
  const counted = all.filter((record) => answerOf(record) !== 'not knowable')
  const judged = counted.flatMap(({ kind, judgement, verdict }) => (judgement === null ? [] : [{ kind, verdict, ...judgement }]))
  const withFault = judged.filter((one) => one.kind !== 'none')
  const sum = (test: (one: (typeof judged)[number]) => boolean, among = judged) => among.filter(test).length
  return {
    counted: counted.length,
    firstRight: sum((one) => one.firstRight),
    faults: withFault.length,
    accepted: sum((one) => one.accepted, withFault),
    right: sum((one) => one.right),
    placeRight: sum((one) => one.placeRight === true, withFault),
    wrong: sum((one) => one.wrong),
    surelyWrong: sum((one) => one.wrong && (one.verdict?.ranking[0]?.[1] ?? 0) >= 0.9),
    notKnowable: all.length - counted.length,
    unasked: counted.length - judged.length,
    medianSeconds: median(counted.flatMap(({ verdictSeconds }) => verdictSeconds ?? [])),
  }
}
