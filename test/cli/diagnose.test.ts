import { spawn, spawnSync } from 'node:child_process'
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { startProgress } from '../../src/cli/progress.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import { fakeIo } from '../fakes/fake-io.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'headwater-diagnose-'))
const config = join(folder, 'headwater.yaml')
let silent: Server

/** A reader of which only the checkpoint can be read, a pipeline that is nowhere, and one whose brokers never answer. */
beforeAll(async () => {
  cpSync(join(root, 'test/fixtures/checkpoint/kafka-to-delta'), join(folder, 'checkpoint'), { recursive: true })
  silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  writeFileSync(
    config,
    `zone: Europe/Berlin
pipelines:
  orders: { topic: orders, brokers: [127.0.0.1:9], spark: http://127.0.0.1:9, checkpoint: checkpoint }
  nowhere: { topic: orders, brokers: [127.0.0.1:9], spark: http://127.0.0.1:9, checkpoint: none, table: none }
  silent: { topic: orders, brokers: [127.0.0.1:${(silent.address() as AddressInfo).port}], spark: http://127.0.0.1:9 }
  broken: { topic: orders }
`,
  )
})
afterAll(() => {
  silent.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (args: string[], env: Record<string, string> = {}) => {
  const io = fakeIo({ env })
  return { code: await run(['diagnose', ...args], io), out: io.out(), err: io.err() }
}
const parts = () => readdirSync(folder).filter((name) => name.endsWith('.part'))

test('a verdict, its bundle and its chart; the replay of the bundle is the same, byte for byte', async () => {
  const bundle = join(folder, 'orders.json.gz')
  const chart = join(folder, 'orders.png')
  const live = await ask(['orders', '--json', '--bundle', bundle, '--chart', chart], { HEADWATER_CONFIG: config })
  expect(live.code).toBe(0)
  expect(live.err).toBe(
    `headwater: 1 mistake in other parts of ${config} (headwater config check ${config})\nchart: ${chart}\nbundle: ${bundle} (headwater replay ${bundle})\n`,
  )
  expect(readFileSync(chart).subarray(1, 4).toString()).toBe('PNG')
  const evidence = readBundle(readFileSync(bundle))
  expect(evidence.batches.length).toBeGreaterThan(0)
  expect(evidence.config_hash).toMatch(/^[0-9a-f]{16}$/)
  expect(evidence.gaps.map((gap) => gap.source)).toEqual(expect.arrayContaining(['delta', 'kafka', 'spark-ui']))
  const io = fakeIo()
  await run(['replay', '--json', bundle], io)
  expect(io.out()).toBe(live.out)
  expect(parts()).toEqual([])
})

test('for people, in the zone of the configuration; --verbose says what it took', async () => {
  const { code, out, err } = await ask(['orders', '--config', config, '--verbose'])
  expect(code).toBe(0)
  expect(out).toContain('times in Europe/Berlin')
  expect(err).toMatch(/looked for \d+\.\d\d s:\n {2}kafka +look 1 +\d+\.\d\d s\n/)
  expect(err).toMatch(/asked of:\n/)
  expect(err).toMatch(/driver 127\.0\.0\.1:9 +1 request /)
  expect((await ask(['orders', '--config', config, '--zone', 'UTC', '--deadline', '2'])).out).toContain('times in UTC')
})

test('where nothing can be read there is still an answer with its gaps, and the exit code 2', async () => {
  const { code, out, err } = await ask(['nowhere', '--config', config, '--json'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ outcome: 'inconclusive', bundle: null })
  const { out: text } = await ask(['nowhere', '--config', config])
  for (const source of ['Kafka', 'Spark UI', 'checkpoint', 'table log']) expect(text).toContain(`? ${source}`)
  expect(err).toContain('nothing could be read of "nowhere"')
})

test('a broker that never answers costs no more than the deadline', async () => {
  const begin = performance.now()
  const { code, out } = await ask(['silent', '--config', config, '--json', '--deadline', '2'])
  expect(performance.now() - begin).toBeLessThan(2500)
  expect(code).toBe(2)
  expect(JSON.parse(out).outcome).toBe('inconclusive')
})

test('a file that cannot be written is said before anything is looked at', async () => {
  const path = join(folder, 'no', 'x.json')
  const begin = performance.now()
  const { code, out, err } = await ask(['silent', '--config', config, '--bundle', path])
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(`cannot write ${path}: its folder does not exist`)
  expect(performance.now() - begin).toBeLessThan(1000)
})

test('called off before it began, it leaves nothing', async () => {
  const before = readdirSync(folder)
  const io = fakeIo({ signal: AbortSignal.abort() })
  const outputs = ['--bundle', join(folder, 'never.json'), '--chart', join(folder, 'never.png')]
  expect(await run(['diagnose', 'orders', '--config', config, ...outputs], io)).toBe(130)
  expect(readdirSync(folder)).toEqual(before)
})

describe('as a process', () => {
  test('a full disk is told, and is no success', () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/main.ts'), '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect([status, stderr]).toEqual([1, expect.stringContaining('cannot write to standard output: ENOSPC')])
  })

  test('without any configuration it is said how to name or write one', () => {
    const nowhere = mkdtempSync(join(tmpdir(), 'headwater-nowhere-'))
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/main.ts'), 'diagnose', 'orders'], {
      cwd: nowhere,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    })
    rmSync(nowhere, { recursive: true })
    expect(status).toBe(1)
    for (const way of ['--config', 'HEADWATER_CONFIG', 'manifests/headwater.example.yaml']) expect(stderr).toContain(way)
  })

  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const done = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { child, done }
  }

  test('Ctrl-C leaves nothing behind and ends with 130', async () => {
    const before = readdirSync(folder)
    const { child, done } = start('diagnose', 'silent', '--verbose', '--bundle', 'x.json', '--chart', 'x.png')
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    setTimeout(() => child.kill('SIGINT'), 1500)
    expect(await done).toBe(130)
    expect(said).toContain('interrupted; nothing was left behind')
    expect(readdirSync(folder)).toEqual(before)
  })

  test('a reader who has seen enough is no error', async () => {
    const bundle = join(root, 'test/fixtures/bundles/example-01.json.gz')
    const { child, done } = start('replay', '--json', ...Array.from({ length: 20 }, () => bundle))
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await done).toBe(0)
  })
})

describe('progress', () => {
  const clock = () => {
    let now = 0
    return () => (now += 100)
  }

  test('one changing line on a terminal, gone at the end', () => {
    const io = fakeIo({ columns: 20 })
    const progress = startProgress(io, false, clock())
    progress.say('Kafka: 12 partitions, 61 of 120')
    progress.say('Spark')
    progress.end()
    progress.end()
    const wipe = '\r\u001b[2K'
    expect(io.err()).toBe(`0.1 s  Kafka: 12 pa${wipe}0.2 s  Spark${wipe}`)
  })

  test('nothing into a pipe, a line each with --verbose', () => {
    const [quiet, wordy] = [fakeIo(), fakeIo()]
    startProgress(quiet, false, clock()).say('Kafka')
    startProgress(wordy, true, clock()).say('Kafka')
    expect([quiet.err(), wordy.err()]).toEqual(['', '0.1 s  Kafka\n'])
  })
})
