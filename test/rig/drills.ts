// npm run drills -- --kinds all --seeds 1-5 [--resume]: an unattended series on one rig start; --commit HASH: the drills
// that a commit must pass.
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { ciDrills } from './ci-drills.ts'
import { drillText } from './drill-text.ts'
import type { Rig } from './layout.ts'
import { DEFAULT_DIR } from './layout.ts'
import { holdRig } from './lock.ts'
import { runDrill } from './run-drill.ts'
import type { Result, Task } from './series.ts'
import { appendResult, parseKinds, parseSeeds, planSeries, readResults, remaining } from './series.ts'
import { seriesHeader, seriesRow, seriesTotals } from './series-text.ts'
import { drawSession } from './session-plan.ts'
import { bringUp, takeDown } from './up-down.ts'

interface Options {
  readonly kinds: string
  readonly seeds: string
  readonly dir: string
  readonly resume?: boolean
  readonly keepBundle?: string
  readonly verdict: boolean
  readonly leaveUp?: boolean
  readonly commit?: string
}

/** A rig that fails this often in a row is not going to work by itself. */
const FAILURES_IN_A_ROW = 3

const say = (line: string): void => console.log(line)

async function oneDrill(rig: Rig, { kind, seed }: Task, following: Task | undefined, options: Options): Promise<Result> {
  const { verdict: ask, keepBundle } = options
  try {
    const next = following === undefined ? undefined : { ...following, plan: drawSession(following.seed) }
    const record = await runDrill(rig, { kind, seed, plan: drawSession(seed), ask, next, keepBundle }, say)
    say(drillText(record))
    return record
  } catch (error) {
    return { kind, seed, error: error instanceof Error ? error.message : String(error) }
  }
}

async function series(options: Options): Promise<void> {
  const tasks = planSeries(parseKinds(options.kinds), parseSeeds(options.seeds))
  const file = join(options.dir, 'series.jsonl')
  if (options.resume !== true && existsSync(file)) renameSync(file, `${file}.before`)
  const rig = await bringUp(options.dir, { brokers: 1, seed: undefined }, say)
  let failures = 0
  for (;;) {
    const left = remaining(tasks, readResults(file))
    const next = left[0]
    if (next === undefined) break
    say(`\n${left.length} of ${tasks.length} drills to go: ${next.kind}, seed ${next.seed}`)
    const result = await oneDrill(rig, next, left[1], options)
    appendResult(file, result)
    say(seriesRow(result))
    failures = 'error' in result ? failures + 1 : 0
    if (failures === FAILURES_IN_A_ROW) throw new Error('the rig failed three times in a row; --resume goes on from here')
  }
  if (options.leaveUp !== true) await takeDown(options.dir, say)
  const results = readResults(file)
  say(`\n${[seriesHeader(), ...results.map(seriesRow)].join('\n')}\n\n${seriesTotals(results)}`)
}

const program = new Command('drills')
  .description('a series of live drills with truth and verdict; results in DIR/series.jsonl')
  .option('--kinds <list>', 'kinds of fault; all = those whose cause the product has', 'all')
  .option('--seeds <list>', 'e.g. 1-5 or 2,4', '1-5')
  .option('--dir <folder>', 'folder of the rig', DEFAULT_DIR)
  .option('--resume', 'go on where a series was stopped')
  .option('--keep-bundle <folder>', 'keep the evidence of every diagnosis')
  .option('--no-verdict', 'do not ask, only inject and record')
  .option('--leave-up', 'leave the rig running at the end')
  .option('--commit <hash>', 'instead: the four drills drawn by a commit, judged by their rule')
  .action(async (options: Options) => {
    holdRig(options.dir, 'drills')
    if (options.commit === undefined) return await series(options)
    const { commit, dir } = options
    const { passed, failed, skipped } = await ciDrills({ commit, dir, keepBundle: options.keepBundle ?? join(dir, 'kept') }, say)
    say(`drills: ${passed} passed, ${failed} failed, ${skipped} skipped`)
    if (failed > 0) process.exitCode = 1
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(`drills: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
