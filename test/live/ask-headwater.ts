/** The public command as a person runs it: a process of its own, timed, with the most memory it ever held. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { REPOSITORY } from '../rig/layout.ts'

export interface Answered {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** From start to end of the process. */
  readonly seconds: number
  /** Peak resident memory; null = the process did not live to tell. */
  readonly peakMb: number | null
  /** CPU that the process itself took, user and system; null as above. */
  readonly cpuSeconds: number | null
}

/** Told on descriptor 3 at exit. Not ru_maxrss: that keeps the size of whoever forked us; VmHWM begins anew with the program. */
const TELL = `data:text/javascript,${encodeURIComponent(
  "import{readFileSync,writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();" +
    "writeSync(3,JSON.stringify({kb:Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status','utf8'))[1]),cpu:(user+system)/1e6}))})",
)}`
const LIMIT_MS = 60_000

/** Runs `headwater ARGS…`; never throws. A process that does not end is killed after a minute (code null). */
export async function askHeadwater(args: readonly string[]): Promise<Answered> {
  const startMs = performance.now()
  const main = join(REPOSITORY, 'src', 'main.ts')
  const child = spawn(process.execPath, ['--import', TELL, main, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const [stdout, stderr, told] = [textOf(child.stdout), textOf(child.stderr), textOf(child.stdio[3] as Readable)]
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (status) => resolve(status))
  })
  clearTimeout(timer)
  const seconds = (performance.now() - startMs) / 1000
  const tale = await told
  const { kb, cpu } = tale === '' ? { kb: null, cpu: null } : (JSON.parse(tale) as { kb: number; cpu: number })
  return { code, seconds, stdout: await stdout, stderr: await stderr, peakMb: kb === null ? null : kb / 1024, cpuSeconds: cpu }
}

async function textOf(stream: Readable | null): Promise<string> {
  let text = ''
  if (stream === null) return text
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk)
  return text
}
