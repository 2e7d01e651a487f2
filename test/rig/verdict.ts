// Asks the product for its verdict as a user would: a child process, one public command, a configuration file.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { REPOSITORY } from './layout.ts'

/** The parts of the printed verdict that a drill judges. */
export interface Verdict {
  readonly outcome: 'cause' | 'none' | 'inconclusive'
  readonly cause: string | null
  readonly place: {
    readonly topic: string | null
    readonly partitions: readonly number[]
    readonly executor: string | null
    readonly host: string | null
    readonly broker: string | null
    readonly phase: string | null
  } | null
  readonly confidence: number | null
  readonly ranking: readonly (readonly [string, number])[]
  readonly reason: string | null
  /** The one reading that would decide. */
  readonly deciding_signal?: string | null
}

export interface Asked {
  readonly verdict: Verdict | null
  /** Seconds from start to end of the command. */
  readonly seconds: number
  /** Why there is no verdict. */
  readonly error: string | null
}

const MAIN = join(REPOSITORY, 'src', 'main.ts')
const LIMIT_MS = 45_000

/** Runs `diagnose PIPELINE`; never throws: a command that fails is an answer too. */
export async function askVerdict(pipeline: string, config: string, bundle: string): Promise<Asked> {
  const startMs = Date.now()
  const args = [MAIN, 'diagnose', pipeline, '--config', config, '--json', '--bundle', bundle]
  const child = spawn(process.execPath, args, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (status, signal) => resolve(status ?? signal ?? 'unknown'))
  })
  clearTimeout(timer)
  const seconds = (Date.now() - startMs) / 1000
  const line = output.split('\n').findLast((text) => text.startsWith('{'))
  if (line === undefined) {
    return { verdict: null, seconds, error: `no verdict (exit ${code}): ${complaint.trim().split('\n').slice(-3).join(' | ')}` }
  }
  try {
    return { verdict: JSON.parse(line) as Verdict, seconds, error: null }
  } catch (error) {
    return { verdict: null, seconds, error: `unreadable verdict: ${error}` }
  }
}
