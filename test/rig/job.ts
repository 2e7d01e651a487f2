// The streaming job: one driver on the standalone cluster, checkpoint and table on slowfs:// (app/rig/SlowFs.java).
// Spark's defaults stay for all that limits history or detection (retained jobs, heartbeat, network timeout); what is
// set here is what a job of this size needs to run on two cores.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { masterUrl } from './cluster.ts'
import type { Rig } from './layout.ts'
import { replaceFile, SLOTS, SLOTS_PER_WORKER } from './layout.ts'
import { refuseTaken } from './ports.ts'
import { sparkEnvironment, sparkJvm } from './spark-jvm.ts'

export interface JobOptions {
  readonly topic: string
  readonly query: string
  /** Folders on the local disk. */
  readonly checkpoint: string
  readonly table: string
  readonly triggerMs: number
  readonly starting?: 'latest' | 'earliest'
  /** maxOffsetsPerTrigger; no limit when absent. */
  readonly maxOffsets?: number
  readonly minPartitions?: number
  readonly eventLog: boolean
  /** spark.sql.streaming.metricsEnabled */
  readonly metrics: boolean
}

/** Cost per record and delays of the slow file system; what is absent costs nothing. */
export interface AppControl {
  readonly cpuUs: number
  readonly waitUs: number
  /** Delay in ms by key `KIND.OP`, e.g. `log.create`; see SlowFs.java. */
  readonly delays?: Readonly<Record<string, number>>
}

export function writeAppControl(path: string, control: AppControl): void {
  const lines = [`cpuUs=${control.cpuUs}`, `waitUs=${control.waitUs}`]
  for (const [key, ms] of Object.entries(control.delays ?? {})) lines.push(`fs.${key}.ms=${ms}`)
  replaceFile(path, `${lines.join('\n')}\n`)
}

function sparkSettings(rig: Rig, job: JobOptions): Record<string, string> {
  const eventLog = join(rig.dir, 'eventlog')
  mkdirSync(eventLog, { recursive: true })
  return {
    'spark.master': masterUrl(rig),
    'spark.app.name': job.query,
    'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.ui.port': `${rig.ports.driverUi}`,
    'spark.executor.memory': '600m',
    'spark.executor.cores': `${SLOTS_PER_WORKER}`,
    'spark.cores.max': `${SLOTS}`,
    'spark.executor.extraJavaOptions': '-XX:+UseSerialGC -Xss512k',
    'spark.executor.extraClassPath': rig.jars.app,
    'spark.sql.shuffle.partitions': '4',
    // Delta's 50 would be 50 tasks a batch for a log of a few kilobytes
    'spark.databricks.delta.snapshotPartitions': '2',
    'spark.sql.extensions': 'io.delta.sql.DeltaSparkSessionExtension',
    'spark.sql.catalog.spark_catalog': 'org.apache.spark.sql.delta.catalog.DeltaCatalog',
    'spark.hadoop.fs.slowfs.impl': 'rig.SlowFs',
    'spark.delta.logStore.slowfs.impl': 'io.delta.storage.LocalLogStore',
    'spark.hadoop.rig.control': rig.appControl,
    'spark.sql.warehouse.dir': join(rig.dir, 'warehouse'),
    'spark.log.level': 'WARN',
    ...(job.metrics ? { 'spark.sql.streaming.metricsEnabled': 'true' } : {}),
    ...(job.eventLog ? { 'spark.eventLog.enabled': 'true', 'spark.eventLog.dir': `file://${eventLog}` } : {}),
  }
}

/** Starts the driver; it is up some seconds later and has its first batch 10–35 s later. */
export async function startDriver(rig: Rig, job: JobOptions): Promise<void> {
  await refuseTaken(rig.ports.driverUi, "the driver's page")
  const settings = Object.entries(sparkSettings(rig, job)).map(([key, value]) => `-D${key}=${value}`)
  const options: Record<string, string | number | undefined> = {
    bootstrap: rig.brokers.join(','),
    topic: job.topic,
    control: rig.appControl,
    query: job.query,
    ckpt: `slowfs://${job.checkpoint}`,
    table: `slowfs://${job.table}`,
    triggerMs: job.triggerMs,
    starting: job.starting ?? 'latest',
    maxOffsets: job.maxOffsets,
    minPartitions: job.minPartitions,
  }
  const args = Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
  const jvm = sparkJvm(rig.jars.sparkHome, '1g', [rig.jars.app])
  const environment = sparkEnvironment(rig.jars.sparkHome, '127.0.0.1')
  rig.processes.start('driver', 'java', [...settings, ...jvm, 'rig.StreamApp', ...args], environment)
}
