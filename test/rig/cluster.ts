// Spark standalone: a master and two workers, each worker on its own loopback address, so that Spark's answers show
// distinct hosts.
import { join } from 'node:path'
import type { Rig } from './layout.ts'
import { SLOTS_PER_WORKER, WORKER_HOSTS } from './layout.ts'
import { refuseTaken, waitForPort } from './ports.ts'
import type { ProcessId } from './proc.ts'
import { processesWith } from './proc.ts'
import { endProcess } from './processes.ts'
import { sparkEnvironment, sparkJvm } from './spark-jvm.ts'

const DEPLOY = 'org.apache.spark.deploy'

export const masterUrl = (rig: Rig): string => `spark://127.0.0.1:${rig.ports.master}`

/** Starts the master; resolves when its port is open. */
export async function startMaster(rig: Rig): Promise<void> {
  await refuseTaken(rig.ports.master, "Spark's master")
  const args = ['--host', '127.0.0.1', '--port', `${rig.ports.master}`, '--webui-port', `${rig.ports.masterUi}`]
  const home = rig.jars.sparkHome
  // its REST submission server would take the fixed port 6066
  const jvm = ['-Dspark.master.rest.enabled=false', ...sparkJvm(home, '256m')]
  rig.processes.start('master', 'java', [...jvm, `${DEPLOY}.master.Master`, ...args], sparkEnvironment(home, '127.0.0.1'))
  await waitForPort('127.0.0.1', rig.ports.master, 60_000, () => rig.processes.get('master') !== undefined)
}

/** Starts worker `number` (1 or 2); resolves when its page answers. */
export async function startWorker(rig: Rig, number: number): Promise<void> {
  const host = WORKER_HOSTS[number - 1] ?? '127.0.0.1'
  const page = rig.ports.workerUis[number - 1] ?? 0
  const home = rig.jars.sparkHome
  const name = `worker${number}`
  const args = [
    ...['--host', host, '--cores', `${SLOTS_PER_WORKER}`, '--memory', '1g', '--webui-port', `${page}`],
    ...['--work-dir', join(rig.dir, 'work'), masterUrl(rig)],
  ]
  const jvm = sparkJvm(home, '192m')
  rig.processes.start(name, 'java', [...jvm, `${DEPLOY}.worker.Worker`, ...args], sparkEnvironment(home, host))
  await waitForPort(host, page, 60_000, () => rig.processes.get(name) !== undefined)
}

export interface Executor extends ProcessId {
  readonly id: string
  readonly host: string
}

/** The executors of this rig that run now, found by their command line and working folder. */
export function executors(rig: Rig): Executor[] {
  const after = (argv: readonly string[], flag: string): string => argv[argv.indexOf(flag) + 1] ?? ''
  return processesWith('org.apache.spark.executor.CoarseGrainedExecutorBackend')
    .filter((found) => found.cwd.startsWith(join(rig.dir, 'work')))
    .map((found) => ({
      pid: found.pid,
      startTicks: found.startTicks,
      id: after(found.argv, '--executor-id'),
      host: after(found.argv, '--hostname'),
    }))
}

/** Ends executors that outlived their worker. */
export async function endExecutors(rig: Rig): Promise<void> {
  await Promise.all(executors(rig).map((executor) => endProcess(executor, 5_000)))
}
