/** A mount that is lost while `headwater diagnose` looks: the verdict is out in time, and so is the command. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Evidence } from '../../src/incident/evidence.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import type { CommandLine } from '../rig/proc.ts'
import { isRunning, processesWith } from '../rig/proc.ts'

const root = join(import.meta.dirname, '../..')
const entry = join(root, 'src/sources/folder-child.ts')
const folder = mkdtempSync(join(tmpdir(), 'headwater-hanging-'))
const deadlineS = 3
/** Where the test itself ends what hangs, no time is to run out before it does. */
const longS = 600
/** Who waits for what hangs waits for ever: a busy machine may take its time, and the two are still told apart. */
const patienceS = 30
const commit = (version: number) => `table/_delta_log/${String(version).padStart(20, '0')}.json`

beforeAll(() => {
  writeFileSync(
    join(folder, 'headwater.yaml'),
    `pipelines:
  files: { topic: orders, brokers: [127.0.0.1:9], spark: http://127.0.0.1:9, checkpoint: checkpoint, table: table }
`,
  )
})
afterEach(() => {
  for (const command of started.splice(0)) {
    command.kill('SIGKILL')
  }
  for (const { pid } of left()) process.kill(pid, 'SIGKILL')
  rmSync(join(folder, 'checkpoint'), { recursive: true })
  rmSync(join(folder, 'table'), { recursive: true })
  rmSync(questions, { force: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A checkpoint of four batches and a table of four commits, of which some files are FIFOs: who opens one waits for ever. */
function hangingAt(...paths: readonly string[]): void {
  cpSync(join(root, 'test/fixtures/checkpoint/kafka-to-delta'), join(folder, 'checkpoint'), { recursive: true })
  mkdirSync(join(folder, 'table/_delta_log'), { recursive: true })
  for (const version of [0, 1, 2, 3]) {
    const info = { timestamp: Date.now() - 60_000 + version, operation: 'WRITE', operationParameters: {} }
    writeFileSync(
      join(folder, commit(version)),
      `{"commitInfo":${JSON.stringify(info)}}\n{"add":{"path":"p","size":9,"dataChange":true}}\n`,
    )
  }
  for (const path of paths) {
    rmSync(join(folder, path))
    expect(spawnSync('mkfifo', [path], { cwd: folder }).status).toBe(0)
  }
}

interface Started {
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<{ readonly code: number | null; readonly seconds: number }>
}

const started: Started[] = []

interface Terms {
  readonly preload?: string
  readonly env?: Readonly<Record<string, string>>
  readonly seconds?: number
}

function start({ preload = '', env = {}, seconds = deadlineS }: Terms = {}): Started {
  const begin = performance.now()
  const imports = ['--import', `data:text/javascript,${encodeURIComponent(noting + preload)}`]
  const args = ['diagnose', 'files', '--deadline', String(seconds), '--bundle', 'bundle.json', '--json']
  const child = spawn(process.execPath, [...imports, join(root, 'src/main.ts'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const tooLong = setTimeout(() => child.kill('SIGKILL'), (seconds + patienceS) * 1000)
  const ended = new Promise<{ code: number | null; seconds: number }>((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(tooLong)
      resolve({ code, seconds: (performance.now() - begin) / 1000 })
    })
  })
  const command = { kill: (signal: NodeJS.Signals) => child.kill(signal), ended }
  started.push(command)
  return command
}

async function until(what: () => boolean): Promise<void> {
  const end = performance.now() + patienceS * 1000
  while (!what() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(what()).toBe(true)
}

/** What the command asks of its processes, and which of it was answered, line by line. */
const questions = join(folder, 'questions.log')
const noting = `
import cp from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const note = (...words) => appendFileSync(${JSON.stringify(questions)}, words.join(' ') + '\\n')
const { fork } = cp
cp.fork = (...args) => {
  const child = fork(...args)
  const { send } = child
  child.send = (message, ...rest) => {
    note('asked', message.id, child.pid, message.ask.path)
    return send.call(child, message, ...rest)
  }
  child.on('message', (reply) => 'told' in reply || note('answered', reply.id))
  child.on('exit', () => note('ended', child.pid))
  return child
}
syncBuiltinESMExports()
// What would wait for longer than any test takes waits for a sign of it.
const wait = setTimeout
const late = new Set()
let over = false
process.on('SIGUSR2', () => {
  over = true
  for (const end of late) end()
})
globalThis.setTimeout = (end, ms, ...rest) => {
  if (ms > 100_000) late.add(end)
  return wait(end, ms > 100_000 && over ? 0 : ms, ...rest)
}
`

const notes = (): string[] => (existsSync(questions) ? readFileSync(questions, 'utf8').trim().split('\n') : [])

/** Questions so far, with the process that each was put to. */
function asked(): { readonly id: string; readonly pid: number; readonly path: string; readonly answered: boolean }[] {
  const lines = notes()
  const answered = new Set(lines.flatMap((line) => (line.startsWith('answered') ? [line.split(' ')[1]!] : [])))
  return lines.flatMap((line) => {
    const [, id, pid, path] = /^asked (\d+) (\d+) (.+)$/.exec(line) ?? []
    return id === undefined ? [] : [{ id, pid: Number(pid), path: path!, answered: answered.has(id) }]
  })
}

/** Waits until these are waited for, and nothing else comes any more. @returns the process that hangs at the first of them */
async function hanging(...paths: readonly string[]): Promise<CommandLine> {
  const open = (path: string) => asked().find((one) => one.path.endsWith(path) && !one.answered)
  const newest = commit(3)
  const isRead = () => paths.includes(newest) || asked().some(({ path, answered }) => answered && path.endsWith(newest))
  let [lines, since] = [0, performance.now()]
  await until(() => {
    const now = notes().length
    if (now !== lines || !isRead() || !paths.every(open)) [lines, since] = [now, performance.now()]
    return performance.now() - since > 1_000
  })
  const { pid } = open(paths[0]!)!
  return left().find((one) => one.pid === pid)!
}

/** As if the time were over now. */
const timeIsUp = (command: Started): void => command.kill('SIGUSR2')

/** Processes of the command that still run. */
function left(): CommandLine[] {
  const pids = new Set(asked().map(({ pid }) => pid))
  return processesWith(entry).filter(({ pid }) => pids.has(pid))
}

const evidence = (): Evidence => readBundle(readFileSync(join(folder, 'bundle.json')))
const reasons = (from: Evidence, source: string) => from.gaps.filter((gap) => gap.source === source).map((gap) => gap.reason)

const timeout = 3 * patienceS * 1000

describe.skipIf(process.platform !== 'linux')('a file that never opens', { timeout }, () => {
  const ranOut = 'the time for it ran out'
  test.each<[string, readonly string[], { gap: readonly [string, string]; batches: number; commits: number }]>([
    [
      'an offsets file',
      ['checkpoint/offsets/79'],
      { gap: ['checkpoint', `${ranOut} after 3 of 4 files of the checkpoint`], batches: 3, commits: 4 },
    ],
    [
      'every offsets file, as many as there are threads to read them',
      ['77', '78', '79', '80'].map((id) => `checkpoint/offsets/${id}`),
      { gap: ['checkpoint', `${ranOut} after 0 of 4 files of the checkpoint`], batches: 0, commits: 4 },
    ],
    ['a commit of the table', [commit(2)], { gap: ['delta', `${ranOut} before all commits were read`], batches: 4, commits: 3 }],
  ])('%s', async (_, paths, { gap, batches, commits }) => {
    hangingAt(...paths)
    const command = start({ seconds: longS })
    await hanging(...paths)
    timeIsUp(command)
    const ended = await command.ended
    const { batches: seen, commits: read, gaps } = evidence()
    expect(gaps.map(({ source, reason }) => [source, reason])).toContainEqual(gap)
    expect([ended.code, seen.length, read.length]).toEqual([0, batches, commits])
    expect(new Set(asked().map(({ pid }) => pid)).size).toBeGreaterThanOrEqual(2)
    await until(() => left().length === 0)
  })

  test('all that there is, until the time that was given is over', async () => {
    hangingAt('checkpoint/metadata', commit(0), commit(1), commit(2), commit(3))
    const ended = await start().ended
    expect(ended.seconds).toBeLessThan(deadlineS + patienceS)
    const { batches, commits } = evidence()
    expect([ended.code, batches.length, commits.length]).toEqual([2, 0, 0])
    expect(reasons(evidence(), 'checkpoint')).toContain(`metadata of the checkpoint could not be read: ${ranOut}`)
    await until(() => left().length === 0)
  })
})

describe.skipIf(process.platform !== 'linux')('the process that reads', { timeout }, () => {
  test('killed while it reads: a gap, soon, and the rest stands', async () => {
    hangingAt('checkpoint/offsets/79')
    const command = start({ seconds: longS })
    const { pid } = await hanging('checkpoint/offsets/79')
    process.kill(pid, 'SIGKILL')
    await until(() => notes().includes(`ended ${pid}`))
    // The second look hangs there again.
    timeIsUp(command)
    const ended = await command.ended
    expect(ended.code).toBe(0)
    const bundle = evidence()
    expect(reasons(bundle, 'checkpoint')).toContain(
      'offsets/79 of the checkpoint could not be read: the process that reads it was ended by SIGKILL',
    )
    expect([bundle.batches.length, bundle.commits.length]).toEqual([3, 4])
  })

  test('that cannot be started is a gap', async () => {
    hangingAt()
    const ended = await start({ preload: "process.execPath = '/no/such/node'" }).ended
    expect(ended.code).toBe(2)
    const why = 'could not be listed: the process that reads it could not be started (ENOENT)'
    expect(reasons(evidence(), 'checkpoint')).toEqual([`the checkpoint ${folder}/checkpoint ${why}`])
    expect(reasons(evidence(), 'delta')).toEqual([
      `the log of the table ${folder}/table could not be read: the process that reads it could not be started (ENOENT)`,
    ])
    expect(evidence().gaps.filter(({ mend }) => mend === 'look again')).toHaveLength(2)
  })

  test('that cannot die is not waited for', async () => {
    hangingAt('checkpoint/offsets/79')
    // Stopped, it takes no notice of its channel either: as asleep on a lost mount.
    const kill = "ChildProcess.prototype.kill = function () { return process.kill(this.pid, 'SIGSTOP') }"
    const command = start({ preload: `import { ChildProcess } from 'node:child_process'; ${kill}`, seconds: longS })
    await hanging('checkpoint/offsets/79')
    timeIsUp(command)
    const ended = await command.ended
    expect(left()).not.toEqual([])
    expect(ended.code).toBe(0)
  })

  test('gets nothing of our environment, and keeps no folder busy', async () => {
    hangingAt('checkpoint/offsets/79')
    const command = start({ seconds: longS, env: { KAFKA_PASSWORD: 'hunter2', NODE_OPTIONS: '--no-warnings' } })
    const { pid, cwd } = await hanging('checkpoint/offsets/79')
    expect(cwd).toBe('/')
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=', 1)[0])
    const channel = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']
    expect(new Set(names.filter((name) => name !== '' && name !== 'LD_LIBRARY_PATH'))).toEqual(new Set(channel))
    command.kill('SIGKILL')
  })

  test.each<[string, NodeJS.Signals, number | null]>([
    ['Ctrl-C', 'SIGINT', 130],
    ['a kill that cannot be caught', 'SIGKILL', null],
  ])('is gone after %s', async (_, signal, code) => {
    hangingAt('checkpoint/offsets/79')
    const command = start({ seconds: longS })
    const reader = await hanging('checkpoint/offsets/79')
    command.kill(signal)
    const begin = performance.now()
    expect((await command.ended).code).toBe(code)
    expect(performance.now() - begin).toBeLessThan(patienceS * 1000)
    await until(() => !isRunning(reader))
    expect(left()).toEqual([])
  })
})
