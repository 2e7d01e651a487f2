/** Whether a Redis can be trusted, in words, with the line that mends it. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/store/redis-health.ts'
import { acceptRedis, judgeRedis, lookAtRedis } from '../../src/store/redis-health.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'

function info(over: Readonly<Record<string, string>> = {}): string {
  const good = { redis_version: '7.0.15', role: 'master', maxmemory_policy: 'noeviction', aof_enabled: '1', aof_last_write_status: 'ok' }
  return `# Server\r\n${Object.entries({ ...good, ...over })
    .map(([name, value]) => `${name}:${value}`)
    .join('\r\n')}`
}

const risks = (findings: readonly Finding[]): string[] => findings.map(({ risk }) => risk)

test.each<[string, Record<string, string>, string | null, string[], string?]>([
  ['nothing is wrong', {}, '', []],
  ['its crash loses what came after the last snapshot', { aof_enabled: '0' }, '3600 1 300 100', ['loses']],
  ['its log waits for the machine', {}, '', ['loses'], 'no'],
  ['its log is written every second', {}, '', [], 'everysec'],
  ['it is a part of a cluster', { cluster_enabled: '1' }, '', ['cluster']],
  ['it is the oldest that will do', { redis_version: '6.2.0' }, '', []],
  ['it is too old', { redis_version: '6.0.16' }, '', ['too_old']],
  ['it is much too old', { redis_version: '5.10.1' }, '', ['too_old']],
  ['it evicts', { maxmemory_policy: 'allkeys-lru' }, '', ['evicts']],
  ['it forgets', { aof_enabled: '0' }, '', ['forgets']],
  ['nobody may read whether it forgets', { aof_enabled: '0' }, null, ['cannot_tell']],
  ['its log of changes is enough to know', {}, null, []],
  ['its disk is full', { aof_last_write_status: 'err' }, '', ['cannot_save']],
  ['a snapshot failed', { rdb_last_bgsave_status: 'err' }, '60 1', ['cannot_save']],
  ['it is a replica', { role: 'slave', master_host: 'redis-1', master_port: '6379' }, '', ['replica']],
])('%s', (_, over, save, expected, fsync) => {
  expect(risks(judgeRedis(info(over), save, fsync ?? null))).toEqual(expected)
})

test('how much a crash would lose is said', () => {
  expect(judgeRedis(info({ aof_enabled: '0' }), '3600 1 300 100', null)[0]!.says).toBe(
    'Redis saves snapshots only (after 1 changes within 3600 s, or 100 changes within 300 s): its crash would lose the sign-offs and incidents since the last one',
  )
})

test('a finding is warned about or refused as configured', () => {
  const findings = judgeRedis(info({ maxmemory_policy: 'volatile-lru', aof_enabled: '0' }), '', null)
  expect(risks(acceptRedis(findings, { evicts: 'warn', forgets: 'warn' }))).toEqual(['evicts', 'forgets'])
  expect(() => acceptRedis(findings, { evicts: 'warn', forgets: 'refuse' })).toThrow(
    'Redis keeps everything in memory only: its restart would lose incidents and sign-offs\n  redis-cli CONFIG SET appendonly yes',
  )
  expect(() => acceptRedis(findings, { evicts: 'refuse', forgets: 'refuse' })).toThrow(/throws keys away.*memory only/s)
  expect(() => acceptRedis(judgeRedis(info({ redis_version: '5.0.3' }), '', null), { evicts: 'warn', forgets: 'warn' })).toThrow(
    '5.0.3 is too old',
  )
})

describe.skipIf(redisProgram() === null)('a real Redis', () => {
  let redis: TestRedis
  let client: Redis
  beforeAll(async () => {
    redis = await startRedis({ 'maxmemory-policy': 'allkeys-lru' })
    client = new Redis(redis.url)
  })
  afterAll(async () => {
    client.disconnect()
    await redis.stop()
  })

  test('is mended by the lines it is told', async () => {
    const findings = await lookAtRedis(client)
    expect(risks(findings)).toEqual(['evicts', 'forgets'])
    for (const { mend } of findings) {
      const [, setting, value] = /^redis-cli CONFIG SET (\S+) (\S+)$/.exec(mend[0]!)!
      await client.config('SET', setting!, value!)
    }
    expect(await lookAtRedis(client)).toEqual([])
  })

  test('that hides its configuration is said to', async () => {
    await client.config('SET', 'appendonly', 'no')
    await client.acl('SETUSER', 'hosted', 'on', '>secret', '~*', '&*', '+@all', '-config')
    const hosted = new Redis(redis.port, { username: 'hosted', password: 'secret' })
    expect(risks(await lookAtRedis(hosted))).toEqual(['cannot_tell'])
    hosted.disconnect()
  })
})
