/** A press of a button on its way into the store: who pressed, as Slack says it, and which pipeline's incident it is about. */
import type { Audience } from '../incident/audience.ts'
import type { More } from '../incident/more.ts'
import type { Log } from '../log.ts'
import { refusals } from '../report/messages/alone.ts'
import type { Said } from '../report/messages/incident/home.ts'
import { within } from '../within.ts'
import type { Store } from '../workflow/incident-ports.ts'
import type { Groups } from './groups.ts'
import type { Keep } from './keep.ts'
import type { Pressed } from './payloads.ts'
import type { People } from './people.ts'

export interface DecidePorts {
  readonly audiences: readonly Audience[]
  readonly nowMs: () => number
  readonly people: People
  readonly groups: Groups
  readonly keep: Keep
  readonly incident: Store['incident']
  readonly log: Log
}

const patienceMs = 1_100

/** Whether it counts is decided when it is dealt with. @returns what to tell the presser alone; null = it is stored */
export async function decide(
  pressed: Omit<Pressed, 'trigger'>,
  reason: string,
  more: More | null,
  ports: DecidePorts,
): Promise<Said | null> {
  const { key, by, button, incident, hash, channel, message, answerTo } = pressed
  const [person, found] = await Promise.all([ports.people(by), pipelineOf(incident, ports)])
  if (found === 'away') return refusals.storeAway
  if (found === null) return refusals.unknownButton
  if (person === null) return refusals.whoAreYou
  const owners = ports.audiences.find((one) => one.pipeline === found.pipeline)?.owners ?? { users: [], groups: [] }
  const groups = await ports.groups.of(by.user, owners.groups)
  if (groups === null && !owners.users.includes(by.user)) return refusals.groups
  const { bot, guest, foreign, actor } = person
  const presser = { bot, guest, foreign, groups: groups ?? [] }
  const ids = { incident, hash, channel, message }
  const kept = await ports.keep({
    kind: 'press',
    key,
    atMs: ports.nowMs(),
    pipeline: found.pipeline,
    button,
    by: actor,
    presser,
    ...ids,
    reason,
    more,
    answerTo,
  })
  return kept === 'away' ? refusals.storeAway : kept === 'full' ? refusals.full : null
}

async function pipelineOf(incident: string, { incident: read, log }: DecidePorts): Promise<{ readonly pipeline: string } | null | 'away'> {
  try {
    const found = await within(() => read(incident), patienceMs)
    return found === null ? null : { pipeline: found.value.pipeline }
  } catch (error) {
    log.warn('the incident of a pressed button could not be read', { incident, err: error })
    return 'away'
  }
}
