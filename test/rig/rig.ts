// npm run rig -- up | down | ps | keep: Kafka, Spark standalone, Delta, a streaming job and its producer on this machine.
import { Command } from 'commander'
import { executors } from './cluster.ts'
import type { KeepOptions } from './keep-drill.ts'
import { keepDrill } from './keep-drill.ts'
import { DEFAULT_DIR, openRig } from './layout.ts'
import { endHolder, holdRig } from './lock.ts'
import { processStat } from './proc.ts'
import { currentSession } from './session.ts'
import { bringUp, takeDown } from './up-down.ts'

const say = (line: string): void => console.log(line)

interface Options {
  readonly dir: string
}

function printProcesses({ dir }: Options): void {
  const rig = openRig(dir)
  if (rig === undefined) {
    say(`no rig in ${dir}`)
    return
  }
  const running = [...rig.processes.all()].filter(([name]) => rig.processes.get(name) !== undefined)
  const rows = [...running, ...executors(rig).map((one) => [`executor ${one.id} on ${one.host}`, one] as const)]
  for (const [name, { pid }] of rows) {
    const megabytes = (processStat(pid)?.rssBytes ?? 0) / 2 ** 20
    say(`${name.padEnd(28)} pid ${`${pid}`.padEnd(8)} ${megabytes.toFixed(0).padStart(5)} MB`)
  }
  const session = currentSession(rig)
  if (session !== undefined) say(`session ${session.number}: ${session.config}`)
}

const program = new Command('rig').description('the live rig: real Kafka, Spark and Delta, with faults on demand')
program
  .command('up')
  .description('start everything in a folder and print how long each part took')
  .option('--dir <folder>', 'where logs, data and pids go', DEFAULT_DIR)
  .option('--brokers <n>', 'Kafka nodes', '1')
  .option('--seed <n>', 'draws partitions and trigger of the job', '1')
  .action(async ({ dir, brokers, seed }: Options & { brokers: string; seed: string }) => {
    holdRig(dir, 'rig up')
    const rig = await bringUp(dir, { brokers: Number(brokers), seed: Number(seed) }, say)
    const session = currentSession(rig)
    say(`Kafka ${rig.brokers.join(',')}; Spark http://127.0.0.1:${rig.ports.driverUi}; configuration ${session?.config ?? 'none'}`)
  })
program
  .command('down')
  .description('stop exactly what was started in the folder, a running drill too')
  .option('--dir <folder>', 'the folder of `up`', DEFAULT_DIR)
  .action(async ({ dir }: Options) => {
    await endHolder(dir)
    await takeDown(dir, say)
  })
program.command('ps').description('what runs').option('--dir <folder>', 'the folder of `up`', DEFAULT_DIR).action(printProcesses)
program
  .command('keep')
  .description('put the bundle of a drill into test/drills, free of this machine, with its truth')
  .argument('<record...>', 'DIR/drills/KIND-SEED-MS.json, or KIND-SEED.json beside a kept bundle')
  .option('--name <name>', 'begins with the kind; KIND-live-SEED when absent (one record only)')
  .option('--bundle <file>', 'where the bundle is when it was moved (one record only)')
  .option('--to <folder>', 'instead of test/drills')
  .action((records: readonly string[], options: KeepOptions) => {
    if (records.length > 1 && (options.name !== undefined || options.bundle !== undefined)) throw new Error('name one record')
    for (const record of records) {
      const { file, bytes, verdict, must, wrong } = keepDrill(record, options)
      say(`${file}: ${bytes} bytes, ${verdict.cause ?? verdict.outcome}, must be ${must}${wrong ? '; WRONG today, its test is red' : ''}`)
    }
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(`rig: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
