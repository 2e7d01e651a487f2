/** Who is in the owners' groups: read ahead, read again when Slack says that it changed, and never taken for true when it is old. */
import type { WebClient } from '@slack/web-api'
import type { Log } from '../log.ts'
import { within } from '../within.ts'
import { failureOf } from './outcome.ts'

/** An answer counts for so long since it was asked for; who presses later waits for the next one, or is asked to press again. */
const goodMs = 10 * 60_000
/** From then on a press has it read anew, so that the next one need not wait. */
const freshMs = 5 * 60_000
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
  /** When it was asked for: what changed on the way may not be in it. */
  readonly atMs: number
  readonly users: ReadonlySet<string>
}

export function createGroups({ web, all, nowMs, log }: GroupsPorts): Groups {
  const known = new Map<string, Known>()
  const asking = new Map<string, { readonly token: object; readonly done: Promise<void> }>()

  async function ask(group: string, token: object): Promise<void> {
    const atMs = nowMs()
    try {
      const { users } = await web.usergroups.users.list({ usergroup: group })
      // An answer to a question from before the group changed may be the old one.
      if (asking.get(group)?.token === token) known.set(group, { atMs, users: new Set(users) })
    } catch (error) {
      const failure = failureOf(error)
      log.warn('Slack does not say who is in a group', { group, why: failure.kind === 'refused' ? failure.code : failure.why })
    }
  }

  function read(group: string): Promise<void> {
    const running = asking.get(group)
    if (running !== undefined) return running.done
    const token = {}
    const { promise, resolve } = Promise.withResolvers<void>()
    asking.set(group, { token, done: promise })
    asking.set(group, { token, done: promise })
    void ask(group, token).finally(() => {
      if (asking.get(group)?.token === token) asking.delete(group)
      resolve()
    })
    return promise
  }

  const ageOf = (group: string): number => nowMs() - (known.get(group)?.atMs ?? Number.NEGATIVE_INFINITY)

  async function usersOf(group: string): Promise<ReadonlySet<string> | null> {
    const reading = ageOf(group) > freshMs ? read(group) : null
    if (reading !== null && ageOf(group) > goodMs) await within(() => reading, patienceMs).catch(() => undefined)
    return ageOf(group) > goodMs ? null : known.get(group)!.users
  }

  return {
    read: async () => {
      await Promise.all(all.map(read))
    },
    changed(group) {
      if (!all.includes(group)) return
      known.delete(group)
      asking.delete(group)
      void read(group)
    },
    async of(user, groups) {
      const users = await Promise.all(groups.map(usersOf))
      const inside = groups.filter((_, place) => users[place]?.has(user))
      return inside.length === 0 && users.includes(null) ? null : inside
    },
  }
}
