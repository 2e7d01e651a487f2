/**
 * Whether this Redis can be trusted with incidents and sign-offs, as far as it says so itself. Nothing is changed: each finding
 * comes with the lines that would mend it.
 */
import type { Redis } from 'ioredis'
import { HeadwaterError } from '../errors.ts'
import { inOurWords } from './redis-client.ts'

/** too_old: commands are missing; evicts: throws keys away when memory is short; forgets: nothing survives its restart. */
export type Risk = 'too_old' | 'evicts' | 'forgets' | 'cannot_save' | 'replica' | 'cannot_tell'

export interface Finding {
  readonly risk: Risk
  readonly says: string
  /** Lines for whoever runs this Redis. */
  readonly mend: readonly string[]
}

/** What is to be done about a finding; a finding of any other kind is a warning, and an old or read-only Redis is always refused. */
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
    const save = await redis.config('GET', 'save').then(
      (answer) => (answer as string[])[1] ?? null,
      () => null,
    )
    return judgeRedis(info, save)
  } catch (error) {
    throw inOurWords(error)
  }
}

/**
 * @param info answer of INFO
 * @param save value of the setting "save", '' = no snapshots; null = it may not be read
 */
export function judgeRedis(info: string, save: string | null): readonly Finding[] {
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
    }
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
    return risk === 'too_old' || risk === 'replica'
  })
  if (refused.length > 0) throw new HeadwaterError('store_mistaken', refused.map(said).join('\n'))
  return findings
}

/** A finding as text, one line a sentence. */
export function said({ says, mend }: Finding): string {
  return [says, ...mend.map((line) => `  ${line}`)].join('\n')
}
