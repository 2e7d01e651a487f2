// The rule by which a handful of drawn drills passes or fails a commit. No clock, no rig: drills come from `run`.
import type { Answer } from './answer.ts'
import { answerOf } from './answer.ts'
import { namedFaults } from './faults/index.ts'
import { drawFrom } from './prng.ts'
import type { Task } from './series.ts'
import { drawSession } from './session-plan.ts'
import type { DrillRecord } from './truth.ts'

/** Drills per commit, repeats of all of them together, and how many with a fault must count. */
const DRILLS = 4
const REPEATS = 4
const FAULTS_NEEDED = 2
/** Twenty calm batches go before each drill: only short triggers fit the time of a commit's check. */
const LONGEST_TRIGGER_MS = 6500

export interface CommitDraw {
  readonly sessionSeed: number
  readonly tasks: readonly Task[]
}

/** Four different kinds, their seeds and the job's seed, all from the commit's hash. */
export function drawForCommit(commit: string): CommitDraw {
  const draw = drawFrom('commit', commit)
  let sessionSeed = draw.whole(1, 1_000_000)
  while (drawSession(sessionSeed).triggerMs > LONGEST_TRIGGER_MS) sessionSeed++
  const kinds = draw.shuffled(namedFaults.map((fault) => fault.kind)).slice(0, DRILLS)
  return { sessionSeed, tasks: kinds.map((kind) => ({ kind, seed: draw.whole(1, 1_000_000) })) }
}

export interface Acceptance {
  readonly passed: number
  readonly failed: number
  /** Neither: void to the last, or inconclusive about what was not knowable. */
  readonly skipped: number
  /** One line per drill and per reason. */
  readonly lines: readonly string[]
  readonly records: readonly DrillRecord[]
  /** Wrong verdicts: their bundles are to be kept. */
  readonly wrong: readonly DrillRecord[]
}

/**
 * Fails on a wrong accepted verdict, on no answer, on an inconclusive one that stays so when repeated once, and when
 * fewer than two drills with a fault counted. Void ones are repeated; all repeats together are at most four. Inconclusive
 * about what the injector called unknowable does not count, and the same seed would not be knowable a second time.
 * `run` is told which drill comes next if this one is not repeated.
 */
export async function acceptDrills(
  tasks: readonly Task[],
  run: (task: Task, next: Task | undefined) => Promise<DrillRecord>,
): Promise<Acceptance> {
  const lines: string[] = []
  const records: DrillRecord[] = []
  const wrong: DrillRecord[] = []
  let repeats = REPEATS
  let passed = 0
  let failed = 0
  let skipped = 0
  let faultsCounted = 0
  for (const [i, task] of tasks.entries()) {
    let unsure = 0
    for (;;) {
      const record = await run(task, tasks[i + 1])
      records.push(record)
      const answer = answerOf(record)
      const again = repeats > 0 && (answer === 'void' || (answer === 'inconclusive' && unsure === 0))
      lines.push(`${task.kind} seed ${task.seed}: ${inWords(answer)}${again ? ', repeated' : ''}`)
      if (again) {
        repeats--
        if (answer === 'inconclusive') unsure++
        continue
      }
      if (answer === 'void' || answer === 'not knowable') {
        skipped++
        break
      }
      if (task.kind !== 'none') faultsCounted++
      if (answer === 'right' || answer === 'beyond reach') passed++
      else failed++
      if (answer === 'wrong') wrong.push(record)
      break
    }
  }
  if (faultsCounted < FAULTS_NEEDED) {
    failed++
    lines.push(`only ${faultsCounted} drills with a fault counted, ${FAULTS_NEEDED} are needed`)
  }
  return { passed, failed, skipped, lines, records, wrong }
}

const inWords = (answer: Answer): string => (answer === 'not knowable' ? 'inconclusive, not knowable: does not count' : answer)
