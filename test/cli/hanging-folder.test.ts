/** A mount that is lost while `headwater diagnose` looks: the verdict is out in time, and so is the command. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Evidence } from '../../src/incident/evidence.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import type { CommandLine, ProcessId } from '../rig/proc.ts'
import { isRunning, processesWith, processStat } from '../rig/proc.ts'

const root = join(import.meta.dirname, '../..')
const entry = join(root, 'src/sources/folder-child.ts')
const folder = mkdtempSync(join(tmpdir(), 'headwater-hanging-'))
const deadlineS = 3
/** Of which a process on a busy machine needs some to begin and to draw. */
const marginS = 3
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
    for (const { pid } of left(command)) process.kill(pid, 'SIGKILL')
  }
  rmSync(join(folder, 'checkpoint'), { recursive: true })
  rmSync(join(folder, 'table'), { recursive: true })
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
  /** The processes that read folders, as long as the command lives. */
  readonly readers: () => CommandLine[]
  /** All of them that were ever seen. */
  readonly seen: ReadonlyMap<number, ProcessId>
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
  const imports = preload === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
  const args = ['diagnose', 'files', '--deadline', String(seconds), '--bundle', 'bundle.json', '--json']
  const child = spawn(process.execPath, [...imports, join(root, 'src/main.ts'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const seen = new Map<number, ProcessId>()
  const readers = () => processesWith(entry).filter(({ pid }) => processStat(pid)?.parent === child.pid)
  const watch = setInterval(() => {
    for (const one of readers()) seen.set(one.pid, one)
  }, 40)
  const tooLong = setTimeout(() => child.kill('SIGKILL'), (seconds + marginS) * 1000)
  const ended = new Promise<{ code: number | null; seconds: number }>((resolve) => {
    child.once('exit', (code) => {
      clearInterval(watch)
      clearTimeout(tooLong)
      resolve({ code, seconds: (performance.now() - begin) / 1000 })
    })
  })
  const command = { kill: (signal: NodeJS.Signals) => child.kill(signal), readers, seen, ended }
  started.push(command)
  return command
}

async function until(what: () => boolean, seconds = 5): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!what() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(what()).toBe(true)
}

/** The process that hangs: of the two that began, the other ends soon after its last read. */
async function hanging(command: Started): Promise<CommandLine> {
  await until(() => command.seen.size === 2 && command.readers().length === 1)
  return command.readers()[0]!
}

const left = (command: Started) => [...command.seen.values()].filter(isRunning)
const evidence = (): Evidence => readBundle(readFileSync(join(folder, 'bundle.json')))
const reasons = (from: Evidence, source: string) => from.gaps.filter((gap) => gap.source === source).map((gap) => gap.reason)

describe.skipIf(process.platform !== 'linux')('a file that never opens', { timeout: 30_000 }, () => {
  const ranOut = 'the time for it ran out'
  test.each<[string, readonly string[], { code: number; gap: readonly [string, string]; batches: number; commits: number }]>([
    [
      'an offsets file',
      ['checkpoint/offsets/79'],
      { code: 0, gap: ['checkpoint', `${ranOut} after 3 of 4 files of the checkpoint`], batches: 3, commits: 4 },
    ],
    [
      'every offsets file, as many as there are threads to read them',
      ['77', '78', '79', '80'].map((id) => `checkpoint/offsets/${id}`),
      { code: 0, gap: ['checkpoint', `${ranOut} after 0 of 4 files of the checkpoint`], batches: 0, commits: 4 },
    ],
    ['a commit of the table', [commit(2)], { code: 0, gap: ['delta', `${ranOut} before all commits were read`], batches: 4, commits: 3 }],
    [
      'all that there is',
      ['checkpoint/metadata', commit(0), commit(1), commit(2), commit(3)],
      { code: 2, gap: ['checkpoint', `metadata of the checkpoint could not be read: ${ranOut}`], batches: 0, commits: 0 },
    ],
  ])('%s', async (_, paths, { code, gap, batches, commits }) => {
    hangingAt(...paths)
    const command = start()
    const ended = await command.ended
    expect(ended.seconds).toBeLessThan(deadlineS + 1)
    const { batches: seen, commits: read, gaps } = evidence()
    expect(gaps.map(({ source, reason }) => [source, reason])).toContainEqual(gap)
    expect([ended.code, seen.length, read.length]).toEqual([code, batches, commits])
    expect(command.seen.size).toBeGreaterThanOrEqual(2)
    await until(() => left(command).length === 0)
  })
})

describe.skipIf(process.platform !== 'linux')('the process that reads', { timeout: 30_000 }, () => {
  test('killed while it reads: a gap, soon, and the rest stands', async () => {
    hangingAt('checkpoint/offsets/79')
    const command = start()
    process.kill((await hanging(command)).pid, 'SIGKILL')
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
    const command = start({ preload: `import { ChildProcess } from 'node:child_process'; ${kill}` })
    const ended = await command.ended
    expect(left(command)).not.toEqual([])
    expect(ended.code).toBe(0)
    expect(ended.seconds).toBeLessThan(deadlineS + 1)
  })

  test('gets nothing of our environment, and keeps no folder busy', async () => {
    hangingAt('checkpoint/offsets/79')
    const command = start({ seconds: 10, env: { KAFKA_PASSWORD: 'hunter2', NODE_OPTIONS: '--no-warnings' } })
    const { pid, cwd } = await hanging(command)
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
    const command = start({ seconds: 10 })
    const reader = await hanging(command)
    command.kill(signal)
    const begin = performance.now()
    expect((await command.ended).code).toBe(code)
    expect(performance.now() - begin).toBeLessThan(1500)
    await until(() => !isRunning(reader), 2)
    expect(left(command)).toEqual([])
  })
})
