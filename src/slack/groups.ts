/** Who is in the owners' groups: read ahead, read again when Slack says that it changed, and never taken for true when it is old. */
import type { WebClient } from '@slack/web-api'
import type { Log } from '../log.ts'
import { failureOf } from './outcome.ts'
import { within } from './within.ts'

const freshMs = 10 * 60_000
/** While Slack does not answer, an older answer counts for so long. */
const goodMs = 60 * 60_000
const patienceMs = 600

export interface Groups {
  /** Reads all of them, so that nobody who presses waits for it. */
  readonly read: () => Promise<void>
  readonly changed: (group: string) => void
  /** Those that the person is in; null = some could not be read, and the person is in none of the others. */
  readonly of: (user: string, groups: readonly string[]) => Promise<readonly string[] | null>
}

export interface GroupsPorts {
  readonly web: WebClient
  /** All groups that own a pipeline. */
  readonly all: readonly string[]
  readonly nowMs: () => number
  readonly log: Log
}

interface Known {
  readonly atMs: number
  readonly users: ReadonlySet<string>
}

export function createGroups({ web, all, nowMs, log }: GroupsPorts): Groups {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<void>>()

  async function ask(group: string): Promise<void> {
    try {
      const { users } = await web.usergroups.users.list({ usergroup: group })
      known.set(group, { atMs: nowMs(), users: new Set(users) })
    } catch (error) {
      const failure = failureOf(error)
      log.warn('Slack does not say who is in a group', { group, why: failure.kind === 'refused' ? failure.code : failure.why })
    }
  }

  function read(group: string): Promise<void> {
    const running = asking.get(group)
    if (running !== undefined) return running
    const begun = ask(group).finally(() => asking.delete(group))
    asking.set(group, begun)
    return begun
  }

  async function usersOf(group: string): Promise<ReadonlySet<string> | null> {
    const age = nowMs() - (known.get(group)?.atMs ?? Number.NEGATIVE_INFINITY)
    if (age > freshMs) {
      const reading = read(group)
      // What is a little old is good enough for now; the new answer is there for the next one.
      if (age > goodMs) await within(() => reading, patienceMs).catch(() => undefined)
    }
    const found = known.get(group)
    return found === undefined || nowMs() - found.atMs > goodMs ? null : found.users
  }

  return {
    read: async () => {
      await Promise.all(all.map(read))
    },
    changed(group) {
      if (!all.includes(group)) return
      known.delete(group)
      void read(group)
    },
    async of(user, groups) {
      const users = await Promise.all(groups.map(usersOf))
      const inside = groups.filter((_, place) => users[place]?.has(user))
      return inside.length === 0 && users.includes(null) ? null : inside
    },
  }
}
