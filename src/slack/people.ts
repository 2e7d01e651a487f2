/** What Slack says of a person, kept for some minutes: whoever is asked about at every press would slow each of them down. */
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../incident/trigger.ts'
import type { Log } from '../log.ts'
import { within } from '../within.ts'
import { failureOf } from './outcome.ts'
import type { Someone } from './payloads.ts'

export interface Person {
  readonly actor: Actor
  readonly bot: boolean
  readonly guest: boolean
  /** From another workspace than the one whose people may ask and decide. */
  readonly foreign: boolean
  /** IANA zone; null = not told. */
  readonly zone: string | null
}

interface Told {
  readonly team: string
  readonly enterprise: string
  readonly stranger: boolean
  readonly bot: boolean
  readonly guest: boolean
  readonly zone: string | null
}

const keptMs = 5 * 60_000
const most = 5_000
/** Whoever pressed waits for it, and Slack for us. */
const patienceMs = 800

export interface PeoplePorts {
  readonly web: WebClient
  /** The workspace, or the organisation, of the configuration. */
  readonly team: string
  readonly nowMs: () => number
  readonly log: Log
}

/** @returns null = Slack does not say now */
export type People = (someone: Someone) => Promise<Person | null>

export function createPeople({ web, team, nowMs, log }: PeoplePorts): People {
  const kept = new Map<string, { readonly untilMs: number; readonly told: Promise<Told> }>()

  function told(user: string): Promise<Told> {
    const known = kept.get(user)
    if (known !== undefined && nowMs() < known.untilMs) return known.told
    const asked = ask(user)
    if (kept.size >= most) kept.delete(kept.keys().next().value!)
    kept.set(user, { untilMs: nowMs() + keptMs, told: asked })
    asked.catch(() => kept.delete(user))
    return asked
  }

  async function ask(id: string): Promise<Told> {
    const { user } = await web.users.info({ user: id })
    if (user === undefined) throw new Error('an answer without the person')
    const { is_bot, is_app_user, is_restricted, is_ultra_restricted, is_stranger, team_id, enterprise_user, tz } = user
    return {
      team: team_id ?? '',
      enterprise: enterprise_user?.enterprise_id ?? '',
      stranger: is_stranger === true,
      bot: is_bot === true || is_app_user === true,
      guest: is_restricted === true || is_ultra_restricted === true,
      zone: tz ?? null,
    }
  }

  return async (someone) => {
    try {
      const { stranger, bot, guest, zone, ...one } = await within(() => told(someone.user), patienceMs)
      const ours = [one.team, one.enterprise].includes(team) && [someone.team, someone.enterprise, one.enterprise].includes(team)
      const foreign = stranger || !ours
      return { actor: { team: foreign ? someone.team || one.team : team, user: someone.user }, bot, guest, foreign, zone }
    } catch (error) {
      const failure = failureOf(error)
      log.warn('Slack does not say who somebody is', { why: failure.kind === 'refused' ? failure.code : failure.why })
      return null
    }
  }
}
