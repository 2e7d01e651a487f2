// Where one rig lives on disk. The folder tells every later command all it needs: ports, processes, the session.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Jars } from './jars.ts'
import type { Ports } from './ports.ts'
import { Processes } from './processes.ts'

export const REPOSITORY = resolve(import.meta.dirname, '..', '..')
export const DEFAULT_DIR = join(REPOSITORY, '.rig', 'run')
export const CACHE = join(REPOSITORY, '.rig', 'cache')

/** Loopback addresses that make one machine look like several hosts in Spark's answers; slots per worker. */
export const WORKER_HOSTS = ['127.0.0.2', '127.0.0.3'] as const
export const SLOTS_PER_WORKER = 2
export const SLOTS = WORKER_HOSTS.length * SLOTS_PER_WORKER

export interface Rig {
  readonly dir: string
  readonly ports: Ports
  readonly jars: Jars
  readonly processes: Processes
  /** `127.0.0.1:PORT` of each broker. */
  readonly brokers: readonly string[]
  readonly appControl: string
  readonly producerControl: string
}

interface Saved {
  readonly ports: Ports
  readonly jars: Jars
}

const file = (dir: string): string => join(dir, 'rig.json')

function rigOf(dir: string, saved: Saved): Rig {
  return {
    dir,
    ...saved,
    processes: new Processes(dir),
    brokers: saved.ports.brokers.map((port) => `127.0.0.1:${port}`),
    appControl: join(dir, 'app.properties'),
    producerControl: join(dir, 'producer.json'),
  }
}

/** Records a new rig in its folder. */
export function createRig(dir: string, ports: Ports, jars: Jars): Rig {
  const saved: Saved = { ports, jars }
  writeJson(file(dir), saved)
  return rigOf(resolve(dir), saved)
}

/** The rig of a folder; undefined when none was started there. It may have ended since: see `isUp`. */
export function openRig(dir: string): Rig | undefined {
  if (!existsSync(file(dir))) return undefined
  return rigOf(resolve(dir), readJson(file(dir)) as Saved)
}

/** True while broker, master and workers all run. */
export function isUp(rig: Rig): boolean {
  const names = [...rig.brokers.map((_, i) => `broker${i + 1}`), 'master', ...WORKER_HOSTS.map((_, i) => `worker${i + 1}`)]
  return names.every((name) => rig.processes.get(name) !== undefined)
}

/** Replaces a file as a whole, so that no reader sees half of it. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
}

export function writeJson(path: string, value: unknown): void {
  replaceFile(path, `${JSON.stringify(value, null, 1)}\n`)
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
