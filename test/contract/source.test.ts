/**
 * What every source of the list promises, tried on the same ill targets: it reads, judges nothing, never throws, ends when it is
 * told to, and whatever it could not see is a gap with a reason. A new source is under this contract by standing in the list.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { sources } from '../../src/sources/index.ts'
import type { Question, Source } from '../../src/workflow/ports.ts'

/** Where the systems of a pipeline are looked for. */
interface Targets {
  readonly port: number
  readonly folder: string
}

const unconfigured: Pipeline = {
  name: 'orders',
  topic: 'orders',
  kafka: { brokers: [], clientId: 'headwater', tls: false, sasl: null },
  spark: null,
  query: null,
  checkpoint: null,
  eventLog: null,
  table: null,
  group: null,
  declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: null, lagSeconds: null },
}

function pipelineAt({ port, folder }: Targets): Pipeline {
  return {
    ...unconfigured,
    kafka: { ...unconfigured.kafka, brokers: [`127.0.0.1:${port}`] },
    spark: `http://127.0.0.1:${port}`,
    checkpoint: join(folder, 'checkpoint'),
    eventLog: join(folder, 'events'),
    table: join(folder, 'table'),
    group: 'orders-etl',
  }
}

function questionOf(targets: Targets, signal: AbortSignal): Question {
  const askedAtMs = Date.now()
  const window = { askedAtMs, fromMs: askedAtMs - 3_600_000, toMs: askedAtMs }
  return { ...window, pipeline: pipelineAt(targets), thorough: false, signal, progress: () => {} }
}

const servers: Server[] = []
const sockets = new Set<Socket>()
const folders: string[] = []

async function serve(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    answer(socket)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-contract-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** FIFOs: files that never open for whoever reads them, as on a lost network mount. */
function makeSilent(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    expect(spawnSync('mkfifo', [join(folder, name)]).status).toBe(0)
  }
}

/** Names and times of everything in a folder: nothing may be added, changed or removed by looking. */
function printOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
}

const nonsense = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[{"a": [}\u0000\u00ff'
const noise = {
  'checkpoint/offsets/7': 'v1\n{"batchWatermarkMs": tru',
  'checkpoint/offsets/x': '',
  'checkpoint/commits/7': '\u0000',
  'checkpoint/metadata': '[]',
  'table/_delta_log/00000000000000000007.json': '{"commitInfo": 1}\nno json\n{"add": {"path": 3}}\n{"surprise": {}}\n',
}
let absent: Targets
let silent: Targets
let odd: Targets

beforeAll(async () => {
  const port = await serve(() => {})
  await new Promise((resolve) => servers.pop()!.close(resolve))
  absent = { port, folder: join(tmpdir(), 'headwater-contract-there-is-no-such-folder') }
  silent = { port: await serve(() => {}), folder: folderWith({ 'checkpoint/commits/7': 'v1', 'events/app-1': 'x' }) }
  makeSilent(silent.folder, 'checkpoint/metadata', 'checkpoint/offsets/7', 'table/_delta_log/_last_checkpoint')
  odd = { port: await serve((socket) => socket.once('data', () => socket.end(nonsense))), folder: folderWith(noise) }
})

afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function timed(work: () => Promise<Findings>): Promise<{ readonly findings: Findings; readonly ms: number }> {
  const begin = performance.now()
  const findings = await work()
  return { findings, ms: performance.now() - begin }
}

function expectWhole(findings: Findings): void {
  expect(findings.source).not.toBe('')
  for (const gap of findings.gaps) {
    expect(gap.source).not.toBe('')
    expect(gap.reason).toMatch(/\w+ \w+/)
    expect(gap.reason).not.toMatch(/undefined|\[object|NaN/)
  }
  for (const one of findings.series) {
    expect(one.v).toHaveLength(one.t.length)
    expect(one.signal).toMatch(/^[a-z_]+(\.[a-z_0-9]+)+$/)
  }
  // What was not seen is never a zero.
  expect(findings.series.flatMap((one) => one.v).filter((value) => value === 0)).toEqual([])
}

test('sources have names of their own', () => {
  expect(new Set(sources.map((source) => source.name)).size).toBe(sources.length)
})

describe.each(sources.map((source): [string, Source] => [source.name, source]))('%s', (_, source) => {
  test('does not apply where it is not configured, and says so where it would be missed', () => {
    expect(source.applies(unconfigured)).toBe(false)
    const gap = source.absent(unconfigured)
    if (gap !== null) expectWhole(emptyFindings(source.name, { gaps: [gap] }))
    expect(source.applies(pipelineAt(absent))).toBe(true)
  })

  test('an absent target is a gap, soon', async () => {
    const { findings, ms } = await timed(() => source.collect(questionOf(absent, AbortSignal.timeout(4000))))
    expectWhole(findings)
    expect(findings.gaps.length).toBeGreaterThan(0)
    expect(findings.series).toEqual([])
    expect(ms).toBeLessThan(4400)
  })

  test('a target that never answers is a gap when time is up', async () => {
    const { findings, ms } = await timed(() => source.collect(questionOf(silent, AbortSignal.timeout(500))))
    expectWhole(findings)
    expect(findings.gaps.length).toBeGreaterThan(0)
    expect(ms).toBeLessThan(1500)
  })

  test('a target that answers nonsense is a gap, and nothing there is touched', async () => {
    const before = printOf(odd.folder)
    const { findings, ms } = await timed(() => source.collect(questionOf(odd, AbortSignal.timeout(4000))))
    expectWhole(findings)
    expect(findings.gaps.length).toBeGreaterThan(0)
    expect(ms).toBeLessThan(4400)
    expect(printOf(odd.folder)).toEqual(before)
  })

  test('a caller who is gone already is not made to wait', async () => {
    const { findings, ms } = await timed(() => source.collect(questionOf(silent, AbortSignal.abort())))
    expectWhole(findings)
    expect(ms).toBeLessThan(1000)
  })

  const { lookAgain } = source
  if (lookAgain === undefined) return
  test('a second look after a first that saw nothing does not throw', async () => {
    const seen = { committed: null, findings: [] }
    for (const targets of [absent, silent, odd]) {
      const { findings, ms } = await timed(() => lookAgain(questionOf(targets, AbortSignal.timeout(500)), seen))
      expectWhole(findings)
      expect(ms).toBeLessThan(1500)
    }
  })
})
