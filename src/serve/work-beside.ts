/**
 * Role all is two processes: what takes in must answer within moments, whatever the other one is judging and drawing. This one starts the
 * other, writes its log lines whole, asks it how it is doing, starts it anew when it dies, and takes it along when it ends.
 */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Figure, Figures } from '../triggers/metrics.ts'
import { within } from '../within.ts'

/** What a process says of itself when it is asked. */
export interface Told {
  readonly figures: readonly Figure[]
  /** In a few fixed words what is not well; null = all is. */
  readonly trouble: string | null
}

export interface Beside {
  /** Starts it, once. */
  readonly begin: () => void
  /** @throws when it does not answer in time, or is being started anew */
  readonly ask: () => Promise<Told>
  /** What it counts, and whether it is there at all. */
  readonly figures: Figures
  /** Asks it to end, and waits: it finishes or hands back what it is at. Killed after `mostMs`. */
  readonly close: (mostMs: number) => Promise<void>
}

export interface BesideOptions {
  /** Program and arguments, without that of Node itself. */
  readonly program: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  /** A line of its log. */
  readonly line: (text: string) => void
  /** What it says on stderr before it has a log, e.g. that it cannot start. */
  readonly complains: (text: string) => void
  /** It died of its start again and again: whoever runs the service has to know, and starting it once more will not help. */
  readonly hopeless: () => void
}

const answerWithinMs = 1_500
/** Between two starts of one that dies at once, ms. */
const pause = { first: 1_000, longest: 30_000 } as const
/** One that has run this long did not die of its start, ms. */
const soundMs = 60_000
/** So often in a row, and no more. */
const mostDeaths = 5

export function workBeside({ program, env, log, line, complains, hopeless }: BesideOptions): Beside {
  const closing = new AbortController()
  let child: ChildProcess | null = null
  let count = 0
  let restarts = 0
  const asked = new Map<number, (told: Told) => void>()

  let running: Promise<void> = Promise.resolve()
  const keepRunning = async (): Promise<void> => {
    let waitMs: number = pause.first
    let deaths = 0
    while (!closing.signal.aborted) {
      const begin = performance.now()
      const code = await run()
      if (closing.signal.aborted) return
      const sound = performance.now() - begin > soundMs
      deaths = sound ? 1 : deaths + 1
      if (deaths >= mostDeaths) {
        log.error('the process that works dies again and again; the service ends', { code, times: deaths })
        return hopeless()
      }
      waitMs = sound ? pause.first : Math.min(pause.longest, waitMs * 2)
      restarts++
      log.error('the process that works has ended; it is started anew', { code, again_in_s: waitMs / 1000 })
      await sleep(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }

  async function run(): Promise<number | string | null> {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc']
    // A group of its own: Ctrl-C is for this process, which then asks the other one to end, once.
    const one = spawn(process.execPath, [...process.execArgv, ...program], { env, stdio, detached: true })
    child = one
    const ended = once(one, 'close').then(
      ([code, signal]: (number | string | null)[]) => code ?? signal ?? null,
      (error: unknown) => String(error),
    )
    one.on('error', () => undefined)
    // Where no process could be started there is nothing to read.
    if (one.stdout) createInterface({ input: one.stdout }).on('line', line)
    if (one.stderr) createInterface({ input: one.stderr }).on('line', complains)
    one.on('message', ({ id, told }: { id: number; told: Told }) => {
      asked.get(id)?.(told)
      asked.delete(id)
    })
    const code = await ended
    child = null
    return code
  }

  async function ask(): Promise<Told> {
    const one = child
    if (one?.connected !== true) throw new Error('the process that works is being started')
    const id = ++count
    const { promise, resolve } = Promise.withResolvers<Told>()
    asked.set(id, resolve)
    try {
      one.send({ id }, () => undefined)
      return await within(() => promise, answerWithinMs)
    } finally {
      asked.delete(id)
    }
  }

  return {
    begin() {
      if (!closing.signal.aborted) running = keepRunning()
    },
    ask,
    async figures() {
      const told = await ask().catch(() => null)
      return [...(told?.figures ?? []), up(told !== null), restarted(restarts)]
    },
    async close(mostMs) {
      closing.abort()
      const one = child
      one?.kill('SIGTERM')
      const timer = setTimeout(() => one?.kill('SIGKILL'), mostMs)
      await running
      clearTimeout(timer)
    },
  }
}

/**
 * The other side: tells whoever started this process how it is doing.
 * @returns aborts when that one is gone, however it ended: then nobody is left whose work this would be
 */
export function toldToStarter(tell: () => Promise<Told>): AbortSignal {
  const gone = new AbortController()
  process.on('message', ({ id }: { id: number }) => {
    void tell().then(
      ({ figures, trouble }) => process.connected && process.send?.({ id, told: { figures: [...figures, memory()], trouble } }),
      () => undefined,
    )
  })
  process.once('disconnect', () => gone.abort())
  if (!process.connected) gone.abort()
  return gone.signal
}

const memory = (): Figure => ({
  name: 'headwater_worker_resident_memory_bytes',
  help: 'Memory of the process that works beside this one',
  kind: 'gauge',
  labels: {},
  value: process.memoryUsage.rss(),
})

const up = (there: boolean): Figure => ({
  name: 'headwater_worker_up',
  help: 'Whether the process that works beside this one answers',
  kind: 'gauge',
  labels: {},
  value: there ? 1 : 0,
})

const restarted = (times: number): Figure => ({
  name: 'headwater_worker_restarts_total',
  help: 'How often the process that works beside this one has been started anew',
  kind: 'counter',
  labels: {},
  value: times,
})
