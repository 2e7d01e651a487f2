// Bringing the whole rig up in a folder and taking exactly that down again.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startBrokers } from './broker.ts'
import { executors, startMaster, startWorker } from './cluster.ts'
import type { SparkLine } from './jars.ts'
import { appJar, kafkaJars, sparkHome } from './jars.ts'
import type { Rig } from './layout.ts'
import { CACHE, createRig, isUp, openRig, WORKER_HOSTS } from './layout.ts'
import { choosePorts } from './ports.ts'
import { Processes } from './processes.ts'
import { currentSession, endSession, startSession } from './session.ts'
import { drawSession } from './session-plan.ts'
import { thaw } from './slow-host.ts'
import { stopwatch } from './stopwatch.ts'
import { ensureTools } from './toolchain.ts'

export type Say = (line: string) => void

export interface UpOptions {
  readonly brokers: number
  /** Draws a session that is started at once; undefined = none is. */
  readonly seed: number | undefined
  /** 4.1 when absent. */
  readonly spark?: SparkLine
}

/**
 * Starts Kafka, the Spark cluster, and a session drawn from `seed`, all from packages alone. A rig of the same Spark that is
 * up is returned as it is. Prints the seconds of every part. Throws with the name of what is missing or did not start.
 */
export async function bringUp(dir: string, options: UpOptions, say: Say): Promise<Rig> {
  const running = openRig(dir)
  const { spark: line = '4.1' } = options
  if (running !== undefined && isUp(running) && (running.jars.line ?? '4.1') === line) {
    thawExecutors(running, say)
    if (options.seed !== undefined && currentSession(running) === undefined) await startSession(running, drawSession(options.seed))
    return running
  }
  const startMs = Date.now()
  await takeDown(dir, () => {})
  const watch = stopwatch(say)
  await watch.part('tools', async () => ensureTools(say))
  mkdirSync(CACHE, { recursive: true })
  const kafka = await watch.part('jars of Kafka', () => kafkaJars(CACHE))
  const home = await watch.part('jars of Spark and Delta', () => sparkHome(CACHE, line))
  const app = await watch.part('compiling the job', () => appJar(CACHE, home, line))
  const ports = await choosePorts(options.brokers, WORKER_HOSTS.length)
  const rig = createRig(dir, ports, { kafka, sparkHome: home, app, line })
  try {
    await Promise.all([
      watch.part('Kafka', () => startBrokers(rig)),
      watch
        .part('Spark master', () => startMaster(rig))
        .then(() => watch.part('Spark workers', () => Promise.all(WORKER_HOSTS.map((_, i) => startWorker(rig, i + 1))))),
    ])
    const seed = options.seed
    if (seed !== undefined) await watch.part('job to its first commit', () => startSession(rig, drawSession(seed)))
  } catch (error) {
    await takeDown(dir, () => {})
    throw error
  }
  say(`  ${'up after'.padEnd(28)} ${((Date.now() - startMs) / 1000).toFixed(1).padStart(6)} s`)
  return rig
}

/** Ends what pids.json of the folder names and the executors below it; the folder's logs stay. */
export async function takeDown(dir: string, say: Say): Promise<void> {
  const rig = openRig(resolve(dir))
  if (rig === undefined) {
    const left = existsSync(dir) ? await endAll(new Processes(resolve(dir))) : 0
    say(left > 0 ? `ended ${left} processes` : `no rig in ${dir}`)
    return
  }
  thawExecutors(rig, say)
  const count = [...rig.processes.all().keys()].filter((name) => rig.processes.get(name) !== undefined).length
  await endSession(rig)
  await endAll(rig.processes)
  for (const part of ['kafka', 'sessions', 'eventlog', 'work', 'session.json', 'rig.json']) {
    const path = join(rig.dir, part)
    if (existsSync(path)) rmSync(path, { recursive: true, force: true })
  }
  say(`ended ${count} processes`)
}

/** Workers first: they would start executors anew. Says how many ran. Also for what a start that was cut short left behind. */
async function endAll(processes: Processes): Promise<number> {
  const names = [...processes.all().keys()]
  const running = names.filter((name) => processes.get(name) !== undefined).length
  await Promise.all(names.filter((name) => name.startsWith('worker')).map((name) => processes.stop(name)))
  await Promise.all(names.filter((name) => !name.startsWith('worker')).map((name) => processes.stop(name)))
  return running
}

/** A drill that was killed without a word (kill -9) may have left a slow host in its stop. */
function thawExecutors(rig: Rig, say: Say): void {
  const thawed = thaw(executors(rig))
  if (thawed > 0) say(`let ${thawed} stopped executor${thawed === 1 ? '' : 's'} run again`)
}
