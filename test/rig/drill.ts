// npm run drill -- <kind> [--seed N]: one live drill; prints truth and verdict side by side.
// An incident that began long ago: npm run drill -- hot_partition --ask-after 30m --trigger 5s --event-log off --metrics off
import { Command, Option } from 'commander'
import { answerOf } from './answer.ts'
import { drawDrill } from './draw-drill.ts'
import { drillText } from './drill-text.ts'
import { parseDuration } from './duration.ts'
import { faults } from './faults/index.ts'
import { LONGEST_GROWING_SECONDS } from './held.ts'
import { DEFAULT_DIR, writeJson } from './layout.ts'
import { holdRig } from './lock.ts'
import { runDrill } from './run-drill.ts'
import type { SessionPlan } from './session-plan.ts'
import { drawSession } from './session-plan.ts'
import type { DrillRecord } from './truth.ts'
import { bringUp } from './up-down.ts'

type Switch = 'on' | 'off'

interface Options {
  readonly seed: string
  readonly sessionSeed?: string
  readonly askAfter?: string
  readonly trigger?: string
  readonly eventLog?: Switch
  readonly metrics?: Switch
  readonly dir: string
  readonly json?: string
  readonly keepBundle?: string
  readonly verdict: boolean
}

const say = (line: string): void => console.log(line)

/** The drawn plan, but for what is said. */
function planOf({ seed, sessionSeed, trigger, eventLog, metrics }: Options): SessionPlan {
  const drawn = drawSession(Number(sessionSeed ?? seed))
  return {
    ...drawn,
    ...(trigger === undefined ? {} : { triggerMs: parseDuration(trigger) }),
    ...(eventLog === undefined ? {} : { eventLog: eventLog === 'on' }),
    ...(metrics === undefined ? {} : { metrics: metrics === 'on' }),
  }
}

/** A wrong verdict; after a long fault also one that neither names it nor says that its beginning is no longer kept. */
function isBad(record: DrillRecord): boolean {
  const answer = answerOf(record)
  const long = record.times.askedMs - record.times.faultMs > LONGEST_GROWING_SECONDS * 1000
  return answer === 'wrong' || (long && (answer === 'inconclusive' || answer === 'no answer'))
}

const onOff = (flags: string, description: string): Option => new Option(flags, description).choices(['on', 'off'])

const program = new Command('drill')
  .description('inject one fault into the live rig and ask for the verdict')
  .argument('<kind>', faults.map((fault) => fault.kind).join(', '))
  .option('--seed <n>', 'draws everything about the fault', '1')
  .option('--session-seed <n>', 'draws partitions and trigger of the job; the seed when absent')
  .option('--ask-after <duration>', 'from the fault to the question, e.g. 30m; drawn from 30–60 s when absent')
  .option('--trigger <duration>', 'instead of the drawn one, e.g. 5s')
  .addOption(onOff('--event-log <switch>', 'whether Spark writes its event log; drawn when absent'))
  .addOption(onOff('--metrics <switch>', 'spark.sql.streaming.metricsEnabled; drawn when absent'))
  .option('--dir <folder>', 'the folder of `rig up`; the rig is started when it is not up', DEFAULT_DIR)
  .option('--json <file>', 'write the whole record')
  .option('--keep-bundle <folder>', 'keep the evidence of the diagnosis, and the record beside it')
  .option('--no-verdict', 'do not ask, only inject and record')
  .action(async (kind: string, options: Options) => {
    const plan = planOf(options)
    const { verdict: ask, keepBundle } = options
    const askAfterMs = options.askAfter === undefined ? undefined : parseDuration(options.askAfter)
    const seed = Number(options.seed)
    // what cannot be drawn is refused before the rig is started
    drawDrill(kind, seed, plan, askAfterMs)
    holdRig(options.dir, `drill ${kind}`)
    const rig = await bringUp(options.dir, { brokers: 1, seed: undefined }, say)
    const record = await runDrill(rig, { kind, seed, plan, ask, askAfterMs, keepBundle }, say)
    if (options.json !== undefined) writeJson(options.json, record)
    say(drillText(record))
    if (isBad(record)) process.exitCode = 1
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(`drill: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
