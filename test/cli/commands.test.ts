import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBundle } from '../../src/sources/bundle.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { headwater } from './run.ts'

let folder: string
const hot = () => writeBundle(evidenceOf({ rate: (p, t) => (p === 3 && t >= 3555 ? 500 : 50) }))
const file = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-cli-'))
  writeFileSync(file('hot.json'), hot())
  writeFileSync(file('hot.json.gz'), gzipSync(hot()))
  writeFileSync(file('broken.json'), hot().replace('"signal":"partition.log_end_offset"', '"signal":7'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('replay', () => {
  it('prints the verdict for people, no line wider than 80 columns', async () => {
    const { code, out } = await headwater(['replay', file('hot.json'), '--zone', 'UTC'])
    expect(code).toBe(0)
    expect(out).toContain('partition 3')
    expect(out).toMatch(/Cause\s+Hot partition, (very )?likely/)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('prints one object a line with --json, the same for plain, gzip and standard input', async () => {
    const plain = await headwater(['replay', '--json', file('hot.json')])
    const zipped = await headwater(['replay', '--json', file('hot.json.gz')])
    const piped = await headwater(['replay', '--json', '-'], { stdin: gzipSync(hot()) })
    const verdicts = [plain, zipped, piped].map(({ out }) => ({ ...JSON.parse(out), bundle: '' }))
    expect(verdicts[0]).toMatchObject({
      outcome: 'cause',
      cause: 'hot_partition',
      place: { topic: 'orders', partitions: [3] },
      reason: null,
    })
    expect(verdicts[1]).toEqual(verdicts[0])
    expect(verdicts[2]).toEqual(verdicts[0])
    expect(plain.out.trimEnd().split('\n')).toHaveLength(1)
  })

  it('says what is wrong with a bad bundle, and goes on with the next', async () => {
    const { code, out, err } = await headwater(['replay', '--json', file('broken.json'), file('hot.json')])
    expect(code).toBe(1)
    expect(err).toContain(file('broken.json'))
    expect(err).toMatch(/series.*signal/)
    expect(JSON.parse(out).cause).toBe('hot_partition')
  })

  it('names a file that is not there', async () => {
    const { code, err } = await headwater(['replay', file('nowhere.json')])
    expect(code).toBe(1)
    expect(err).toContain('nowhere.json')
  })
})

describe('config check', () => {
  it('is content with the smallest configuration', async () => {
    writeFileSync(
      file('small.yaml'),
      'pipelines:\n  orders:\n    topic: orders\n    brokers: [kafka:9092]\n    spark: http://driver:4040\n',
    )
    expect((await headwater(['config', 'check', file('small.yaml')])).code).toBe(0)
  })

  it('reports every mistake at once, with its path and what would be right', async () => {
    writeFileSync(
      file('bad.yaml'),
      'pipelines:\n  orders:\n    topc: orders\n    brokers: kafka\n    spark: driver:4040\n    trigger: fast\n',
    )
    const { code, out, err } = await headwater(['config', 'check', file('bad.yaml')])
    expect(code).toBe(1)
    const said = out + err
    for (const part of ['topc', 'topic', 'brokers', 'spark', 'trigger']) expect(said).toContain(part)
    expect(said).toMatch(/did you mean/i)
  })
})

describe('diagnose', () => {
  const configured = () => {
    writeFileSync(
      file('dead.yaml'),
      'pipelines:\n  orders:\n    topic: orders\n    brokers: ["127.0.0.1:1"]\n    spark: http://127.0.0.1:1\n    checkpoint: /nowhere/ckpt\n',
    )
    return file('dead.yaml')
  }

  it('says that nothing could be read, and why of each source, with exit code 2', async () => {
    const { code, out } = await headwater(['diagnose', 'orders', '--config', configured(), '--zone', 'UTC'])
    expect(code).toBe(2)
    expect(out).toContain('inconclusive')
    for (const source of ['kafka', 'spark-ui', 'checkpoint']) expect(out).toContain(source)
  })

  it('leaves no half-written file behind when it is interrupted', async () => {
    const before = readdirSync(folder).length
    const config = configured()
    const { code } = await headwater(
      ['diagnose', 'orders', '--config', config, '--bundle', file('never.json'), '--chart', file('never.png')],
      {
        signal: AbortSignal.abort(),
      },
    )
    expect(code).toBe(130)
    expect(readdirSync(folder).filter((name) => name.includes('never'))).toEqual([])
    expect(readdirSync(folder).length).toBeLessThanOrEqual(before + 1)
  })

  it('names the pipelines there are when asked for another', async () => {
    const { code, err } = await headwater(['diagnose', 'oders', '--config', configured()])
    expect(code).toBe(1)
    expect(err).toContain('orders')
  })

  it('freezes what it saw: the replay of its bundle says the same', async () => {
    const bundle = file('dead.json')
    const live = await headwater(['diagnose', 'orders', '--config', configured(), '--json', '--bundle', bundle])
    const again = await headwater(['replay', '--json', bundle])
    expect({ ...JSON.parse(again.out), bundle: null }).toEqual({ ...JSON.parse(live.out), bundle: null })
    expect(readFileSync(bundle, 'utf8')).toContain('"gaps"')
  })
})
