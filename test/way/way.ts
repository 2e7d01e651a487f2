// npm run way -- [--ending recovered|not-fixed] [--keep FOLDER]: an incident's whole way, live: alert → verdict → approve → a knob
// really turned → recovered; and the same with a wrong knob → no effect → looked at anew.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { DEFAULT_DIR } from '../rig/layout.ts'
import { holdRig } from '../rig/lock.ts'
import { drawFrom } from '../rig/prng.ts'
import { ensureRedis } from '../rig/toolchain.ts'
import { bringUp, takeDown } from '../rig/up-down.ts'
import { keepStory } from './keep-story.ts'
import { walk } from './walk.ts'
import type { Ending, Walked } from './walked.ts'
import { endings } from './walked.ts'

interface Options {
  readonly ending?: Ending
  readonly commit?: string
  readonly seed: string
  readonly dir: string
  readonly keep?: string
  readonly read: string
}

const say = (line: string): void => console.log(line)

/** A reader with Spark's defaults: no event log, no metrics, so that all must be seen without them. */
const planOf = (seed: number) => ({ seed, partitions: 12, triggerMs: 5000, eventLog: false, metrics: false })

function keep(folder: string, walked: Walked): void {
  mkdirSync(folder, { recursive: true })
  for (const [i, png] of walked.pictures.entries()) writeFileSync(join(folder, `${walked.ending}-${i + 1}.png`), png)
  writeFileSync(join(folder, `${walked.ending}.txt`), `${walked.texts.join('\n\n')}\n`)
  const day = new Date(walked.moments.alertMs).toISOString().slice(0, 10)
  const files = keepStory(folder, walked, `${day}, Kafka 4.4.0 and Spark 4.2.0 on one machine of two cores`)
  for (const line of files) say(`  kept ${line}`)
}

/** One for a commit, so that of two commits in a row each may see the other one. */
function endingsOf({ ending, commit }: Options): readonly Ending[] {
  if (ending !== undefined) return [ending]
  return commit === undefined ? endings : [drawFrom('way', commit).pick(endings)]
}

async function ways(options: Options): Promise<{ passed: number; failed: number }> {
  const { seed, dir, keep: folder, read } = options
  if (!ensureRedis(say)) throw new Error('the way needs a Redis server: install redis-server or valkey-server')
  const tally = { passed: 0, failed: 0 }
  // Only from 4.2 on does a query that was cut off inside a batch go on as it should.
  const rig = await bringUp(dir, { brokers: 1, seed: undefined, spark: '4.2' }, say)
  try {
    for (const one of endingsOf(options)) {
      say(`\n${one}`)
      const walking = {
        plan: planOf(Number(seed)),
        seed: Number(seed),
        ending: one,
        record: folder !== undefined,
        readMs: 1000 * Number(read),
      }
      try {
        const walked = await walk(rig, walking, say)
        if (folder !== undefined) keep(folder, walked)
        for (const { holds } of walked.checks) tally[holds ? 'passed' : 'failed']++
      } catch (error) {
        say(`  NOT walked to its end: ${error instanceof Error ? error.message : error}`)
        tally.failed++
      }
    }
  } finally {
    await takeDown(dir, say)
  }
  return tally
}

const program = new Command('way')
  .description("an incident's whole way on the live rig, with the stand-in of Slack")
  .addOption(
    new Option('--ending <which>', 'recovered: the agreed knob is turned; not-fixed: a wrong one; both when absent').choices(endings),
  )
  .option('--commit <hash>', 'one of the two, drawn by a commit')
  .option('--seed <n>', 'draws load and fault', '9')
  .option('--read <seconds>', 'from the verdict until the knob is turned', '15')
  .option('--keep <folder>', "keep the run for the demo, with charts and texts; takes another minute and the sources' answers in between")
  .option('--dir <folder>', 'folder of the rig', DEFAULT_DIR)
  .action(async (options: Options) => {
    holdRig(options.dir, 'way')
    // Ended by a signal: what was started goes on.
    process.once('exit', (code) => {
      if (code > 128) say('the rig is left running; "npm run rig -- down" ends it')
    })
    const { passed, failed } = await ways(options)
    say(`way: ${passed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(`way: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
