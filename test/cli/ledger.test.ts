/** The ledger on the command line, on a real Redis whose contents somebody may have tampered with. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { chain, personCommitment } from '../../src/signoff/chain.ts'
import type { Entry } from '../../src/signoff/ledger.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import { draftAt, headAt, ledgerKey } from '../build/ledger.ts'
import { change } from '../build/stored-values.ts'
import { openStandIn } from '../demo/slack/open-stand-in.ts'
import { fakeIo } from '../fakes/fake-io.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const config = join(folder, 'headwater.yaml')
const env = { LEDGER_KEY: ledgerKey, BOT: 'xoxb-of-the-tests' }
const amara = { team: 'T0ACME', user: 'U0AMARA' }
const salt = '5a17'.repeat(8)

/** @param args of `headwater ledger` */
async function ledger(args: readonly string[], more: Readonly<Record<string, string>> = {}, stdin: readonly string[] = []) {
  const io = fakeIo({ env: { ...env, ...more }, stdin })
  const code = await run(['ledger', ...args], io)
  return { code, out: io.out(), err: io.err() }
}

const configured = (...args: string[]) => ledger([...args, '--config', config])

describe.skipIf(redisProgram() === null)('on a real Redis', () => {
  let redis: TestRedis
  let client: Redis
  let store: Store
  let six: Entry[]

  beforeAll(async () => {
    redis = await startRedis()
    client = new Redis(redis.url)
    store = redisStore(client, 'hw')
    const slack = 'slack: { team: T0ACME, bot_token_env: BOT, app_token_env: BOT }'
    const pipelines = 'pipelines: { orders: { topic: orders, brokers: [kafka:9092] } }'
    writeFileSync(
      config,
      `zone: Europe/Berlin\nredis: { url: "${redis.url}", prefix: hw }\nledger: { key_env: LEDGER_KEY }\n${slack}\n${pipelines}\n`,
    )
  })
  afterAll(async () => {
    client.disconnect()
    await redis.stop()
  })
  beforeEach(async () => {
    await client.flushall()
    await store.salt(amara, salt)
    const who = personCommitment(amara, salt)
    const drafts = [1, 2, 3, 4, 5, 6].map((n) => draftAt(n, n % 4 === 2 ? { who } : {}))
    six = chain(emptyHead, drafts, ledgerKey)
    await store.commit(change({ ledger: { after: emptyHead, entries: six } }))
  })

  const anchor = (number: number) => `${number}:${six[number - 1]!.digest.slice(0, 12)}`
  const stored = (entry: Entry) => JSON.stringify({ v: 1, value: entry })
  /** As somebody who has stolen the Redis could write it. */
  const writeAnew = async (entries: readonly Entry[]) => {
    await client.del('hw:ledger')
    for (const entry of entries) await client.xadd('hw:ledger', `${entry.number}-0`, 'entry', stored(entry))
    const newest = entries.at(-1) ?? emptyHead
    await client.hset('hw:head', 'number', newest.number, 'digest', newest.digest)
  }

  test('verify: a true one holds, with and without an anchor', async () => {
    const plain = await configured('verify')
    expect([plain.code, plain.err]).toEqual([0, ''])
    expect(plain.out).toBe(
      `The ledger holds: 6 entries, head ${anchor(6)}.\nWhether its end was cut off only an anchor tells: give the newest "Ledger entry" that Slack shows, e.g. --anchor 17:3f9a1c02abcd\n`,
    )
    const [number, digest] = anchor(6).split(':')
    const both = await configured('verify', '--anchor', `Ledger entry ${number}, ${digest}`, '--anchor', anchor(2))
    expect(both).toMatchObject({ code: 0, out: expect.stringContaining(`Checked against ${anchor(6)}, ${anchor(2)}.`) })
  })

  describe('verify: what was done to it is found, and ends with 3', () => {
    test.each<[string, () => Promise<unknown>, boolean, string]>([
      ['edited', () => writeAnew(six.map((one) => (one.number === 3 ? { ...one, atMs: 1 } : one))), false, 'at entry 3 (edited)'],
      ['removed in the middle', () => client.xdel('hw:ledger', '4-0'), false, 'at entry 4 (removed): entry 4 is missing: 5 follows 3'],
      ['added at the end', () => client.xadd('hw:ledger', '*', 'entry', stored(six[1]!)), false, 'at entry 7 (edited)'],
      [
        'rubbish for an entry',
        async () => {
          await client.xdel('hw:ledger', '6-0')
          await client.xadd('hw:ledger', '6-1', 'entry', '\u001b[31mrubbish')
        },
        false,
        'at entry 6 (edited)',
      ],
      [
        'its end cut off',
        () => client.xdel('hw:ledger', '5-0', '6-0'),
        false,
        'at entry 5 (cut off): the ledger ends at entry 4, but the store has noted entry 6',
      ],
      [
        'and the note with it',
        () => writeAnew(six.slice(0, 4)),
        true,
        'at entry 5 (cut off): the ledger ends at entry 4, but Slack shows entry 6',
      ],
      [
        'and written on without the key',
        () => writeAnew([...six.slice(0, 4), ...chain(headAt(six, 4), [draftAt(5), draftAt(6)], 'a guessed key')]),
        false,
        'at entry 5 (rewritten)',
      ],
      [
        'replaced as a whole',
        () =>
          writeAnew(
            chain(
              emptyHead,
              [1, 2, 3, 4, 5, 6].map((n) => draftAt(n)),
              'a guessed key',
            ),
          ),
        true,
        'at entry 1 (rewritten): no entry fits the key',
      ],
      ['emptied', () => client.flushall(), true, 'at entry 1 (cut off): the ledger ends at entry 0, but Slack shows entry 6'],
    ])('%s', async (_, harm, anchored, says) => {
      await harm()
      const found = await configured('verify', ...(anchored ? ['--anchor', anchor(6)] : []))
      expect(found.out).toContain(`The ledger is broken ${says}`)
      expect([found.code, found.err]).toEqual([3, ''])
    })
  })

  test('export: what it writes verify reads, elsewhere and without Redis', async () => {
    const out = join(folder, 'ledger.jsonl')
    const exported = await configured('export', '--out', out)
    expect(exported).toEqual({ code: 0, out: '', err: `6 entries; check: headwater ledger verify --file ${out}\n` })
    const text = readFileSync(out, 'utf8')
    expect((await configured('export')).out).toBe(text)
    expect(text).not.toContain('U0AMARA')
    const elsewhere = join(folder, 'elsewhere.yaml')
    writeFileSync(elsewhere, 'ledger: { key_env: LEDGER_KEY }\n')
    const check = (file: string, stdin: string[] = []) =>
      ledger(['verify', '--file', file, '--config', elsewhere, '--anchor', anchor(6)], {}, stdin)
    expect(await check(out)).toMatchObject({ code: 0, out: expect.stringContaining('holds: 6 entries') })
    expect(await check('-', [text.replace('"what":"applied"', '"what":"declined"')])).toMatchObject({
      code: 3,
      out: expect.stringContaining('at entry 3 (edited)'),
    })
    expect(await check('-', [text.split('\n').slice(0, 5).join('\n')])).toMatchObject({
      code: 3,
      out: expect.stringContaining('(cut off)'),
    })
    expect((await ledger(['show', '--file', out, '--zone', 'UTC', '--last', '1'])).out).toContain('2026-11-30 12:06:00')
  })

  test('show: the newest ones, newest last, in the zone of the configuration', async () => {
    const { code, out, err } = await configured('show', '--last', '2')
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
      '   when (Europe/Berlin)  who        did       incident             proposal      head',
      `5  2026-11-30 13:05:00   Headwater  proposed  i-20261130-orders-2  c0ffeec0ffee  ${anchor(5).slice(2)}`,
      `6  2026-11-30 13:06:00   U0AMARA    approved  i-20261130-orders-2  c0ffeec0ffee  ${anchor(6).slice(2)}`,
      `2 of 6 entries (earlier ones: --from 1). The head is ${anchor(6)}; headwater ledger verify tells whether all of it holds.`,
      '',
    ])
  })

  test('show: one incident, or from a number on', async () => {
    const one = await configured('show', '--incident', 'i-20261130-orders-2')
    expect(one.out).toContain('2 entries. The head')
    expect(one.out).not.toContain('orders-1')
    const onward = await configured('show', '--from', '2', '--last', '2')
    expect([...onward.out.matchAll(/^(\d) {2}/gm)].map(([, number]) => number)).toEqual(['2', '3'])
    expect(onward.out).toContain('2 of 6 entries (more: --from 4)')
    await client.flushall()
    expect(await configured('show')).toEqual({ code: 0, out: 'The ledger is empty: nothing was proposed or signed yet.\n', err: '' })
  })

  test('show --names asks Slack, and does without it where it does not answer', async () => {
    const stand = await openStandIn()
    const asked = await ledger(['show', '--names', '--config', config], {
      BOT: stand.settings.app.botToken,
      HEADWATER_SLACK_API_URL: stand.apiUrl,
    })
    expect(asked.out).toContain('amara (U0AMARA)')
    const refused = await ledger(['show', '--names', '--config', config], { HEADWATER_SLACK_API_URL: stand.apiUrl })
    expect(refused).toMatchObject({
      code: 0,
      out: expect.stringContaining('U0AMARA '),
      err: 'headwater: Slack does not say every name: invalid_auth\n',
    })
  })

  test('forget: says first what it would do, then does it for good, and the chain holds', async () => {
    const first = await configured('forget', 'U0AMARA')
    expect([first.code, first.out]).toEqual([1, ''])
    expect(first.err).toContain("2 entries of U0AMARA would become nobody's, for good")
    expect((await configured('show')).out).toContain('U0AMARA')
    const done = await configured('forget', 'U0AMARA', '--yes')
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining("2 entries of U0AMARA are nobody's now") })
    const { out } = await configured('show')
    expect(out).not.toContain('U0AMARA')
    expect(out).toContain('one person, 2 of the entries before')
    expect(await configured('verify', '--anchor', anchor(6))).toMatchObject({ code: 0, out: expect.stringContaining('holds: 7 entries') })
    expect(await configured('forget', 'U0AMARA', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('knows nobody called "U0AMARA"'),
    })
  })

  test('another key is called that, when Slack’s word is there to tell', async () => {
    const other = { LEDGER_KEY: 'another key, and longer than thirty-two characters' }
    const { code, out } = await ledger(['verify', '--config', config, '--anchor', anchor(6)], other)
    expect([code, out]).toEqual([3, expect.stringContaining('(key): another key than the ledger was written with')])
  })

  test('what is no ledger, and what a newer program wrote, is said in one line', async () => {
    await client.xdel('hw:ledger', '6-0')
    await client.xadd('hw:ledger', '6-1', 'entry', '{"v":2,"value":{}}')
    expect(await configured('show')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^headwater: a ledger entry was stored in version 2; .*\n$/),
    })
    await client.set('hw:ledger', 'x')
    expect(await configured('verify')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^headwater: Redis refuses the command: WRONGTYPE .*\n$/),
    })
  })
})

describe('one clear line, and no stack, when', () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const away = 'redis: { url: "redis://127.0.0.1:1" }\n'
  const keyed = 'ledger: { key_env: LEDGER_KEY }\n'

  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    [
      'Redis is away',
      ['verify', '--config', file('away.yaml', away + keyed)],
      {},
      2,
      /Redis is away: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    ],
    [
      'the key is not in the environment',
      ['verify', '--config', file('keyed.yaml', away + keyed)],
      { LEDGER_KEY: '' },
      1,
      /variable LEDGER_KEY is not set/,
    ],
    [
      'the key is too short',
      ['verify', '--config', file('short.yaml', away + keyed)],
      { LEDGER_KEY: 'short' },
      1,
      /fewer than 32 characters/,
    ],
    ['no key is configured', ['verify', '--config', file('no-key.yaml', away)], {}, 1, /has no ledger: section; write ledger:/],
    ['no Redis is configured', ['show', '--config', file('no-redis.yaml', keyed)], {}, 1, /has no redis: section; write redis: .*--file$/],
    ['there is no configuration', ['export', '--config', join(folder, 'none.yaml')], {}, 1, /there is no such file$/],
    ['there is no such export', ['show', '--file', join(folder, 'none.jsonl')], {}, 1, /none\.jsonl: there is no such file$/],
    ['the file is no export', ['show', '--file', file('odd.jsonl', '{}\n')], {}, 1, /odd\.jsonl: this is no exported ledger/],
    ['the anchor is none', ['verify', '--anchor', '17:3f9a'], {}, 1, /Write number and at least 12 digits/],
  ])('%s', async (_, args, more, code, says) => {
    const found = await ledger(args, more)
    expect([found.code, found.out]).toEqual([code, ''])
    expect(
      found.err
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('(headwater help'))
        .join('\n'),
    ).toMatch(says)
    expect(found.err).not.toMatch(/^\s+at /m)
  })
})
