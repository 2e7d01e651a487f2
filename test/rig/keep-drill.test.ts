import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepDrill, machineIn, withoutMachine } from './keep-drill.ts'

const recorded = join(import.meta.dirname, '../drills/slow_sink-recorded')
const truth = JSON.parse(readFileSync(`${recorded}.json`, 'utf8')) as { place: object; faultMs: number; endMs: number }

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'keep-drill-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** A recorded bundle as a drill of this machine would have written it. `more`: said in a gap. */
function drillOfThisMachine(name: string, more = ''): string {
  const session = join(dir, 'sessions', '1')
  const bundle = JSON.parse(gunzipSync(readFileSync(`${recorded}.json.gz`)).toString()) as {
    pipeline: { look?: object; topics: { name: string }[] }
    gaps: object[]
  }
  bundle.pipeline.look = { spark: 'http://127.0.0.1:29647', checkpoint: join(session, 'ckpt'), table: join(session, 'table') }
  bundle.gaps.push({
    source: 'checkpoint',
    signal: null,
    reason: `the checkpoint ${session}/ckpt was read; see /api/v1/applications${more}`,
  })
  const file = join(dir, `${name}.json.gz`)
  writeFileSync(file, gzipSync(JSON.stringify(bundle)))
  const record = {
    kind: 'slow_sink',
    seed: 7,
    session: { seed: 7, partitions: 12, triggerMs: 4000, eventLog: true, metrics: true, topic: bundle.pipeline.topics[0]?.name },
    place: truth.place,
    parameters: { key: 'data.create', delayMs: 2500 },
    times: { faultMs: truth.faultMs, askedMs: truth.faultMs + 45_000, endMs: truth.endMs },
    bundle: file,
  }
  writeFileSync(join(dir, `${name}.json`), JSON.stringify(record))
  return join(dir, `${name}.json`)
}

test('a kept drill tells nothing of this machine, is small, and has its truth beside it', { timeout: 30_000 }, () => {
  const { file, bytes, must, verdict } = keepDrill(drillOfThisMachine('a'), { to: join(dir, 'kept') })
  expect(file).toBe(join(dir, 'kept', 'slow_sink-live-7.json.gz'))
  const text = gunzipSync(readFileSync(file)).toString()
  expect(text).not.toContain(dir)
  expect(text).toContain('"checkpoint":"/data/orders/ckpt"')
  expect(text).toContain('the checkpoint /data/orders/ckpt was read')
  expect(bytes).toBeLessThan(150_000)
  expect([verdict.cause, must]).toEqual(['slow_sink', 'right'])
  expect(JSON.parse(readFileSync(file.replace('.gz', ''), 'utf8'))).toMatchObject({
    kind: 'slow_sink',
    place: truth.place,
    must: 'right',
    secondsIntoFault: 45,
    drill: { seed: 7, triggerMs: 4000 },
  })
})

test('what would tell of this machine is not kept', () => {
  const record = drillOfThisMachine('b', ` and ${tmpdir()}/secret/place`)
  expect(() => keepDrill(record, { to: join(dir, 'refused') })).toThrow(`still tells of this machine: ${tmpdir()}/secret/place`)
  expect(existsSync(join(dir, 'refused'))).toBe(false)
})

test('the name begins with the kind, as the tests of kept drills need it', () => {
  expect(() => keepDrill(drillOfThisMachine('c'), { name: 'odd' })).toThrow('must begin with "slow_sink-"')
})

test.each([
  ['a path of this machine', '{"a":"look in /usr/share/x"}', ['/usr/share/x']],
  ['one behind a scheme', '{"a":"file:///tmp/rig/ckpt"}', ['/tmp/rig/ckpt']],
  ['the path of an address is none', '{"a":"http://127.0.0.1:4040/tmp/jobs"}', []],
  ['nor is one that is nowhere here', '{"a":"/data/orders/ckpt /api/v1"}', []],
])('%s', (_, text, found) => {
  expect(machineIn(text)).toEqual(found)
})

test('a bundle that names no folder stays as it is', () => {
  const text = '{"bundle":1,"pipeline":{"name":"orders"}}'
  expect(withoutMachine(text)).toBe(text)
})
