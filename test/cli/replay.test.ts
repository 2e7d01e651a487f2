import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { writeBundle } from '../../src/sources/bundle.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { fakeIo } from '../fakes/fake-io.ts'

const fixtures = join(import.meta.dirname, '../fixtures/bundles')
const first = join(fixtures, 'example-01.json.gz')
const folder = mkdtempSync(join(tmpdir(), 'headwater-replay-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test('one line of JSON for each bundle, plain and gzip alike, in the order asked', async () => {
  const plain = file('plain.json', gunzipSync(readFileSync(first)))
  const io = fakeIo()
  expect(await run(['replay', '--json', first, plain], io)).toBe(0)
  const [a, b, rest] = io.out().split('\n')
  expect(rest).toBe('')
  expect(JSON.parse(a!)).toMatchObject({ bundle: first, outcome: expect.any(String), ranking: expect.any(Array) })
  expect(b).toBe(a!.replace(JSON.stringify(first), JSON.stringify(plain)))
  expect(a).not.toContain('"ms"')
  expect(io.err()).toBe('')
})

test('the same bytes each time; --timing adds what it took', async () => {
  const ask = async (...more: string[]) => {
    const io = fakeIo()
    await run(['replay', '--json', first, ...more], io)
    return io.out()
  }
  expect(await ask()).toBe(await ask())
  expect(JSON.parse(await ask('--timing'))).toHaveProperty('ms', expect.any(Number))
})

test('a bad bundle is one clear error and does not stop the others', async () => {
  const bad = file('bad.json', '{"bundle": 1}')
  const io = fakeIo()
  expect(await run(['replay', '--json', bad, join(folder, 'none.json'), folder, first], io)).toBe(1)
  expect(io.out().split('\n')).toHaveLength(2)
  expect(io.err().split('\n')).toEqual([
    `headwater: ${bad}: pipeline should be an object`,
    `headwater: ${join(folder, 'none.json')}: there is no such file`,
    `headwater: ${folder}: it is a folder`,
    '',
  ])
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /: empty; a bundle is one JSON document, plain or gzip/],
  ['a text', 'zone: UTC', /: no JSON document \(.*\); a bundle is one JSON document/],
  ['half a gzip', readFileSync(first).subarray(0, 500), /: broken or cut off gzip \(.*\); a bundle is/],
  ['another version', '{"bundle": 2}', /: bundle should be 1 \(this program reads version 1\)/],
  ['a hostile one', '\u009b2J\u001b[31m', /: no JSON document/],
])('%s is refused in one harmless line', async (name, content, says) => {
  const io = fakeIo()
  expect(await run(['replay', file(`${name}.json`, content)], io)).toBe(1)
  expect(io.err()).toMatch(says)
  expect(io.err().trimEnd()).not.toMatch(/\p{Cc}/u)
  expect(io.out()).toBe('')
})

test('a file larger than memory is refused before it is read', async () => {
  const huge = file('huge.json', '')
  truncateSync(huge, 300 * 1024 * 1024 * 1024)
  const io = fakeIo()
  expect(await run(['replay', huge], io)).toBe(1)
  expect(io.err()).toBe(`headwater: ${huge}: larger than 200 MiB, the most that is read of one bundle\n`)
  rmSync(huge)
})

test('a mistake on standard input is called by that name', async () => {
  const io = fakeIo({ stdin: ['nonsense'] })
  expect(await run(['replay', '-'], io)).toBe(1)
  expect(io.err()).toMatch(/^headwater: standard input: no JSON document/)
})

test('TZ is the zone of whoever reads, --zone goes before it', async () => {
  const asked = async (...more: string[]) => {
    const io = fakeIo({ env: { TZ: 'America/New_York' } })
    await run(['replay', first, ...more], io)
    return io.out()
  }
  expect(await asked()).toContain('times in America/New_York')
  expect(await asked('--zone', 'UTC')).toContain('times in UTC')
})

test.each<[Record<string, string>, number | undefined, number]>([
  [{ COLUMNS: '60' }, undefined, 60],
  [{ COLUMNS: '60' }, 100, 60],
  [{ COLUMNS: 'wide' }, undefined, 80],
  [{}, 72, 72],
])('with %j on a terminal of %s columns no line is longer than %d', async (env, columns, most) => {
  const io = fakeIo({ env: { ...env, NO_COLOR: '1' }, ...(columns === undefined ? {} : { columns }) })
  await run(['replay', first], io)
  const longest = Math.max(
    ...io
      .out()
      .split('\n')
      .map((line) => line.length),
  )
  expect(longest).toBeLessThanOrEqual(most)
  expect(longest).toBeGreaterThan(most - 8)
})

test('standard input', async () => {
  const bytes = readFileSync(first)
  const io = fakeIo({ stdin: [bytes.subarray(0, 1000), bytes.subarray(1000)] })
  expect(await run(['replay', '--json', '-'], io)).toBe(0)
  expect(JSON.parse(io.out())).toMatchObject({ bundle: '-' })
})

test('for people: 80 columns without a terminal, no colours, each file by its name', async () => {
  const io = fakeIo()
  expect(await run(['replay', first, join(fixtures, 'example-07.json.gz'), '--zone', 'Europe/Berlin'], io)).toBe(0)
  expect(io.out()).toContain(`${first}\n\n`)
  expect(io.out()).toContain('times in Europe/Berlin')
  expect(io.out()).not.toContain('\u001b[')
  const lines = io
    .out()
    .split('\n')
    .filter((line) => !line.startsWith(fixtures))
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test.each<[string, Record<string, string>, boolean]>([
  ['a terminal gets colours', {}, true],
  ['NO_COLOR takes them away', { NO_COLOR: '1' }, false],
  ['so does a dumb terminal', { TERM: 'dumb' }, false],
])('%s', async (_, env, colour) => {
  const io = fakeIo({ columns: 100, env })
  await run(['replay', first], io)
  expect(io.out().includes('\u001b[')).toBe(colour)
})

test('a hot partition is named with its place, for scripts and for people', async () => {
  const hot = file('hot.json', writeBundle(evidenceOf({ rate: (partition, t) => (partition === 3 && t >= 3555 ? 500 : 50) })))
  const [json, text] = [fakeIo(), fakeIo()]
  await run(['replay', '--json', hot], json)
  await run(['replay', hot], text)
  expect(JSON.parse(json.out())).toMatchObject({ outcome: 'cause', cause: 'hot_partition', place: { topic: 'orders', partitions: [3] } })
  expect(text.out()).toMatch(/Cause\s+Hot partition, (very )?likely/)
  expect(text.out()).toContain('partition 3')
})

test('the chart is a whole picture, or nothing', async () => {
  const svg = join(folder, 'story.svg')
  const png = join(folder, 'story.png')
  expect(await run(['replay', first, '--chart', svg], fakeIo())).toBe(0)
  expect(await run(['replay', first, '--chart', png], fakeIo())).toBe(0)
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg[\s\S]*<\/svg>\s*$/)
  expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG')
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  const io = fakeIo()
  expect(await run(['replay', first, '--chart', join(folder, 'no', 'story.png')], io)).toBe(1)
  expect(io.err()).toBe(`headwater: cannot write ${join(folder, 'no', 'story.png')}: its folder does not exist\n`)
})

test('Ctrl-C between two bundles', async () => {
  const io = fakeIo({ signal: AbortSignal.abort() })
  expect(await run(['replay', '--json', first], io)).toBe(130)
  expect(io.out()).toBe('')
})
