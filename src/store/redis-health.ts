/**
 * Whether this Redis can be trusted with incidents and sign-offs, as far as it says so itself. Nothing is changed: each finding
 * comes with the lines that would mend it.
 */
import type { Redis } from 'ioredis'
import { HeadwaterError } from '../errors.ts'
import { inOurWords } from './redis-client.ts'

/**
 * too_old: commands are missing; evicts: throws keys away when memory is short; forgets: nothing survives its restart; loses: its crash
 * takes the last minutes with it; cluster: keys of one step may lie on different machines.
 */
export type Risk = 'too_old' | 'evicts' | 'forgets' | 'loses' | 'cannot_save' | 'replica' | 'cluster' | 'cannot_tell'

export interface Finding {
  readonly risk: Risk
  readonly says: string
  /** Lines for whoever runs this Redis. */
  readonly mend: readonly string[]
}

/** What is to be done about a finding; a finding of any other kind is a warning, and one that is old, read-only or a cluster is always refused. */
export interface HealthPolicy {
  readonly evicts: 'warn' | 'refuse'
  readonly forgets: 'warn' | 'refuse'
}

const oldest = [6, 2, 0] as const

/** @throws HeadwaterError store_unavailable */
export async function lookAtRedis(redis: Redis): Promise<readonly Finding[]> {
  try {
    const info = await redis.info()
    // Many hosted Redis do not let anybody read their configuration.
    const setting = (name: string): Promise<string | null> =>
      redis.config('GET', name).then(
        (answer) => (answer as string[])[1] ?? null,
        () => null,
      )
    return judgeRedis(info, await setting('save'), await setting('appendfsync'))
  } catch (error) {
    throw inOurWords(error)
  }
}

/**
 * @param info answer of INFO
 * @param save value of the setting "save", '' = no snapshots; null = it may not be read
 * @param fsync value of the setting "appendfsync"; null = it may not be read
 */
export function judgeRedis(info: string, save: string | null, fsync: string | null): readonly Finding[] {
  const fields = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string | undefined]))
  const field = (name: string): string => fields.get(name) ?? ''
  const found: Finding[] = []

  const version = field('redis_version')
  if (isOlder(version)) {
    found.push({ risk: 'too_old', says: `Redis ${version} is too old: ${oldest.join('.')} or newer is needed`, mend: [] })
  }
  if (field('role') === 'slave') {
    const says = 'this Redis is a replica and takes no writes'
    found.push({ risk: 'replica', says, mend: [`use its primary, ${field('master_host')}:${field('master_port')}`] })
  }
  if (field('cluster_enabled') === '1') {
    const says = 'this Redis is part of a cluster, where what is written as one step may lie on several machines'
    found.push({ risk: 'cluster', says, mend: ['use a Redis that stands alone, or a primary with replicas'] })
  }
  const policy = field('maxmemory_policy')
  if (policy !== 'noeviction') {
    found.push({
      risk: 'evicts',
      says: `when its memory is full, Redis throws keys away (policy ${policy}): jobs, incidents and sign-offs would vanish without a word`,
      mend: ['redis-cli CONFIG SET maxmemory-policy noeviction', 'redis.conf: maxmemory-policy noeviction'],
    })
  }
  if (field('aof_enabled') !== '1') {
    const mend = ['redis-cli CONFIG SET appendonly yes', 'redis.conf: appendonly yes']
    if (save === '') {
      found.push({ risk: 'forgets', says: 'Redis keeps everything in memory only: its restart would lose incidents and sign-offs', mend })
    } else if (save === null) {
      const says = 'Redis keeps no log of its changes, and whether it saves snapshots cannot be read (CONFIG is not allowed)'
      found.push({ risk: 'cannot_tell', says, mend })
    } else {
      const says = `Redis saves snapshots only (${snapshots(save)}): its crash would lose the sign-offs and incidents since the last one`
      found.push({ risk: 'loses', says, mend })
    }
  } else if (fsync === 'no') {
    found.push({
      risk: 'loses',
      says: 'Redis leaves it to the machine when its log reaches the disk: with the power go up to 30 seconds of sign-offs and incidents',
      mend: ['redis-cli CONFIG SET appendfsync everysec', 'redis.conf: appendfsync everysec'],
    })
  }
  if (field('aof_last_write_status') === 'err' || field('rdb_last_bgsave_status') === 'err') {
    found.push({
      risk: 'cannot_save',
      says: 'Redis could not write to its disk the last time it tried',
      mend: ['redis-cli INFO persistence'],
    })
  }
  return found
}

/** "3600 1 300 100" in words: after 3,600 s if 1 key changed, after 300 s if 100 did. */
function snapshots(save: string): string {
  const rules = [...save.matchAll(/(\d+) (\d+)/g)].map(([, seconds, keys]) => `${keys} changes within ${seconds} s`)
  return rules.length === 0 ? save : `after ${rules.join(', or ')}`
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [i, least] of oldest.entries()) {
    const part = parts[i] ?? 0
    if (part !== least) return part < least
  }
  return false
}

/**
 * Splits findings by what the configuration says of them.
 * @throws HeadwaterError store_mistaken with everything that is refused, each with its mend
 * @returns the warnings
 */
export function acceptRedis(findings: readonly Finding[], policy: HealthPolicy): readonly Finding[] {
  const refused = findings.filter(({ risk }) => {
    if (risk === 'evicts' || risk === 'forgets') return policy[risk] === 'refuse'
    return risk === 'too_old' || risk === 'replica' || risk === 'cluster'
  })
  if (refused.length > 0) throw new HeadwaterError('store_mistaken', refused.map(said).join('\n'))
  return findings
}

/** A finding as text, one line a sentence. */
export function said({ says, mend }: Finding): string {
  return [says, ...mend.map((line) => `  ${line}`)].join('\n')
}
