/**
 * Asks a folder through a process of its own, which can be killed when the file system hangs. This side never waits for that process:
 * not for its answer once the time is up, and not for its end, which may never come (uninterruptible sleep on a lost mount).
 * One process for each folder, so that a folder that hangs holds up no other.
 */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ask, Asked, Reply, Told } from './folder-child.ts'

/** How the answer ended; `failed` carries the code of the file system, `lost` says what became of the process. */
export type Ended =
  | { readonly how: 'told' }
  | { readonly how: 'failed'; readonly code: string }
  | { readonly how: 'stopped' }
  | { readonly how: 'lost'; readonly why: string }

interface FolderProcess {
  readonly folder: string
  readonly child: ChildProcess
  readonly waiting: Map<number, { readonly take: (told: Told) => void; readonly done: (ended: Ended) => void }>
  /** Works on something that nobody waits for any more, so it is asked nothing new. */
  spent: boolean
  idle: NodeJS.Timeout | undefined
}

/** A process that is asked nothing for so long is ended; the reads of one look follow closely on each other. */
const IDLE_MS = 300
/** `.ts` as it stands here, `.js` once built. */
const entry = fileURLToPath(new URL(`./folder-child${extname(import.meta.url)}`, import.meta.url))
/** What Node itself may need to start; nothing else of our environment (secrets stand there) is passed on. */
const passedOn = ['LD_LIBRARY_PATH', 'SystemRoot']

const processes = new Set<FolderProcess>()
let lastId = 0

/**
 * @param folder which process to ask: one stands for all questions about a folder
 * @param take gets the answer in portions, in order
 * @returns how it ended, at once when the signal aborts; never rejects
 */
export async function askProcess(folder: string, ask: Ask, signal: AbortSignal, take: (told: Told) => void): Promise<Ended> {
  if (signal.aborted) return { how: 'stopped' }
  let asked = [...processes].find((one) => one.folder === folder && !one.spent)
  try {
    asked ??= start(folder)
  } catch (cause) {
    return { how: 'lost', why: notStarted(cause) }
  }
  return await waitFor(asked, ask, signal, take)
}

function start(folder: string): FolderProcess {
  const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  // Away from the folder we were called in: a process that cannot die would keep that one busy.
  const child = fork(entry, [], { env, execArgv: [], cwd: '/', serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const started: FolderProcess = { folder, child, waiting: new Map(), spent: false, idle: undefined }
  processes.add(started)
  child.on('message', (reply: Reply) => {
    const { take, done } = started.waiting.get(reply.id) ?? {}
    if ('told' in reply) take?.(reply.told)
    else done?.(reply.failed === null ? { how: 'told' } : { how: 'failed', code: reply.failed })
  })
  child.on('error', (cause) => lose(started, notStarted(cause)))
  child.on('exit', (code, killedBy) =>
    lose(started, `the process that reads it ${killedBy === null ? `ended with exit code ${code}` : `was ended by ${killedBy}`}`),
  )
  return started
}

function waitFor(asked: FolderProcess, ask: Ask, signal: AbortSignal, take: (told: Told) => void): Promise<Ended> {
  return new Promise((resolve) => {
    const id = ++lastId
    const done = (ended: Ended): void => {
      asked.waiting.delete(id)
      signal.removeEventListener('abort', stop)
      if (asked.waiting.size === 0) rest(asked)
      resolve(ended)
    }
    const stop = (): void => {
      asked.spent = true
      done({ how: 'stopped' })
    }
    signal.addEventListener('abort', stop, { once: true })
    asked.waiting.set(id, { take, done })
    clearTimeout(asked.idle)
    // Where it was not connected, or is not any more, `error` or `exit` follows.
    if (asked.child.connected) asked.child.send({ id, ask } satisfies Asked, () => undefined)
  })
}

/** Nobody waits for an answer of it. */
function rest(one: FolderProcess): void {
  if (!processes.has(one)) return
  if (one.spent) end(one)
  else one.idle = setTimeout(() => end(one), IDLE_MS)
}

/** Its end is not waited for, so from here on nothing of it keeps our own process alive. */
function end(one: FolderProcess): void {
  processes.delete(one)
  clearTimeout(one.idle)
  one.child.kill('SIGKILL')
  one.child.unref()
  if (one.child.connected) one.child.disconnect()
}

/** It ended by itself, or never began. */
function lose(one: FolderProcess, why: string): void {
  processes.delete(one)
  clearTimeout(one.idle)
  for (const { done } of [...one.waiting.values()]) done({ how: 'lost', why })
}

function notStarted(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return `the process that reads it could not be started (${code ?? message})`
}
