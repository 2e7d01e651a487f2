import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { fakeIo } from '../fakes/fake-io.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const good = join(folder, 'good.yaml')
const bad = join(folder, 'bad.yaml')
writeFileSync(good, 'pipelines:\n  orders: {topic: orders, brokers: [kafka:9092]}\n')
writeFileSync(bad, 'pipelines:\n  orders: {topic: orders, brokrs: [kafka:9092]}\n  other: {topic: a, brokers: [a:1]}\n')

const ask = async (...args: string[]) => {
  const io = fakeIo()
  return { code: await run(args, io), out: io.out(), err: io.err() }
}

describe('config check', () => {
  test('a right file says so', async () => {
    const { code, out, err } = await ask('config', 'check', good)
    expect([code, out.split('\n', 1)[0], err]).toEqual([0, `${good} is right: 1 pipeline (orders), times in UTC`, ''])
  })

  test('a wrong one names every mistake and fails', async () => {
    const { code, out } = await ask('config', 'check', bad)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      `${bad}:2:3 pipelines.orders.brokers: is missing; write e.g. brokers: [kafka:9092] here, or once for all under kafka:`,
      `${bad}:2:27 pipelines.orders.brokrs: unknown key; did you mean brokers?`,
      `2 mistakes in ${bad}`,
      '',
    ])
  })

  test('nothing in the file moves a cursor or colours a line', async () => {
    const odd = join(folder, 'odd.yaml')
    writeFileSync(odd, 'pipelines:\n  orders: "\\e[31mred\\x9b2J"\n')
    const { code, out } = await ask('config', 'check', odd)
    expect(code).toBe(1)
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  test('no file', async () => {
    const { code, err } = await ask('config', 'check', join(folder, 'none.yaml'))
    expect([code, err]).toEqual([1, `headwater: cannot read the configuration ${join(folder, 'none.yaml')}: there is no such file\n`])
  })
})

describe('a command line with a mistake says which, and ends with 1', () => {
  test.each<[string, string[], string]>([
    ['an unknown command', ['dignose'], 'Did you mean diagnose?'],
    ['an unknown option', ['replay', '--jsn', 'x'], "unknown option '--jsn'"],
    ['no bundle', ['replay'], "missing required argument 'files'"],
    ['no pipeline', ['diagnose'], "missing required argument 'pipeline'"],
    ['an odd deadline', ['diagnose', 'orders', '--deadline', 'soon'], 'Write seconds from 1 to 600.'],
    ['an odd zone', ['replay', 'x', '--zone', 'Mars'], 'Write an IANA time zone'],
    ['two bundles, one chart', ['replay', 'a', 'b', '--chart', 'c.png'], '--chart draws one bundle'],
    ['an unknown pipeline', ['diagnose', 'ordrs', '--config', good], 'did you mean orders?'],
    ['a far-off pipeline', ['diagnose', 'x', '--config', good], 'it has: orders'],
    ['a pipeline with a mistake', ['diagnose', 'orders', '--config', bad], 'unknown key; did you mean brokers?'],
    ['no configuration', ['diagnose', 'orders', '--config', join(folder, 'none.yaml')], 'there is no such file'],
    ['a chart of another kind', ['replay', 'x', '--chart', 'c.jpg'], 'a chart is a .png or a .svg, and "c.jpg" is neither'],
    ['a chart without a name', ['demo', '--terminal', '--chart', ''], 'a chart is a .png or a .svg'],
    ['a configuration that is a folder', ['diagnose', 'orders', '--config', folder], 'it is a folder'],
    ['an unknown recording', ['demo', 'no-such-recording'], 'there are: '],
    ['an unknown recording, here', ['demo', '--terminal', 'no-such-recording'], 'no-such-recording'],
    ['an odd port', ['demo', '--port', 'any'], 'Write a port from 1 to 65535'],
  ])('%s', async (_, args, says) => {
    const { code, out, err } = await ask(...args)
    expect(code).toBe(1)
    expect(err).toContain(says)
    expect(out).toBe('')
  })
})

test('help lists the exit codes; the version is that of the package', async () => {
  expect((await ask('--help')).out).toContain('130  interrupted')
  expect(await ask('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})
