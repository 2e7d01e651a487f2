// npm run drill -- <kind> [--seed N]: one live drill; prints truth and verdict side by side.
import { Command } from 'commander'
import { drillText } from './drill-text.ts'
import { faults } from './faults/index.ts'
import { DEFAULT_DIR, writeJson } from './layout.ts'
import { holdRig } from './lock.ts'
import { runDrill } from './run-drill.ts'
import { drawSession } from './session-plan.ts'
import { bringUp } from './up-down.ts'

interface Options {
  readonly seed: string
  readonly sessionSeed?: string
  readonly dir: string
  readonly json?: string
  readonly keepBundle?: string
  readonly verdict: boolean
}

const say = (line: string): void => console.log(line)

const program = new Command('drill')
  .description('inject one fault into the live rig and ask for the verdict')
  .argument('<kind>', faults.map((fault) => fault.kind).join(', '))
  .option('--seed <n>', 'draws everything about the fault', '1')
  .option('--session-seed <n>', 'draws partitions and trigger of the job; the seed when absent')
  .option('--dir <folder>', 'the folder of `rig up`; the rig is started when it is not up', DEFAULT_DIR)
  .option('--json <file>', 'write the whole record')
  .option('--keep-bundle <folder>', 'keep the evidence of the diagnosis')
  .option('--no-verdict', 'do not ask, only inject and record')
  .action(async (kind: string, options: Options) => {
    const plan = drawSession(Number(options.sessionSeed ?? options.seed))
    holdRig(options.dir, `drill ${kind}`)
    const rig = await bringUp(options.dir, { brokers: 1, seed: undefined }, say)
    const { verdict, keepBundle } = options
    const record = await runDrill(rig, { kind, seed: Number(options.seed), plan, ask: verdict, keepBundle }, say)
    if (options.json !== undefined) writeJson(options.json, record)
    say(drillText(record))
    if (record.judgement?.wrong === true) process.exitCode = 1
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(`drill: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
