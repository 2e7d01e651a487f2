/** A question of a person, by slash command or by mention: who may ask what where, and what is stored. */
import type { Audience } from '../incident/audience.ts'
import type { CommandText } from '../incident/parse-command.ts'
import { parseCommand } from '../incident/parse-command.ts'
import type { Log } from '../log.ts'
import { helpMessage, looking, otherChannel, refusals, sentence, statusMessage } from '../report/messages/alone.ts'
import type { Said } from '../report/messages/incident/home.ts'
import { wallClock } from '../report/wall-clock.ts'
import { within } from '../within.ts'
import type { Store } from '../workflow/incident-ports.ts'
import type { Keep } from './keep.ts'
import type { Question } from './payloads.ts'
import type { People, Person } from './people.ts'

export interface AskPorts {
  readonly audiences: readonly Audience[]
  /** IANA zone where a person's own is not known. */
  readonly zone: string
  readonly nowMs: () => number
  readonly people: People
  readonly keep: Keep
  readonly incidents: Store['incidents']
  readonly log: Log
}

/** `say` is for the asker alone; null = nothing. `diagnoses` = the pipeline that is being looked at now. */
export interface Reply {
  readonly say: Said
  readonly diagnoses: string | null
  /** Neither stored nor refused: whoever can should bring it again. */
  readonly again: boolean
}

const reply = (say: Said, more: Partial<Reply> = {}): Reply => ({ say, diagnoses: null, again: false, ...more })

/** @param command the slash command, for the help text */
export async function ask(question: Question, command: string, ports: AskPorts): Promise<Reply> {
  const person = await ports.people(question.by)
  if (person === null) return reply(refusals.whoAreYou)
  if (person.bot) return reply(refusals.bot)
  if (person.foreign) return reply(refusals.foreign)
  if (person.guest) return reply(refusals.guest)
  const wanted = understood(question, person, ports)
  switch (wanted.kind) {
    case 'help':
      return reply(helpMessage(command))
    case 'unclear':
      return reply(sentence(wanted.say))
    case 'status':
      return await status(wanted.pipeline, question, person, ports)
    case 'diagnose':
      return await diagnose(wanted, question, person, ports)
  }
}

function understood({ text, channel }: Question, person: Person, { audiences, zone, nowMs }: AskPorts): CommandText {
  const pipelines = audiences.map((one) => one.pipeline)
  return parseCommand(text, { pipelines, here: pipelineOf(channel, audiences), nowMs: nowMs(), zone: person.zone ?? zone })
}

/** The pipeline whose alerts a channel gets, or the only one that may be asked about in it. */
function pipelineOf(channel: string, audiences: readonly Audience[]): string | null {
  const own = audiences.filter((one) => one.channel === channel)
  const all = own.length > 0 ? own : audiences.filter((one) => one.channels.includes(channel))
  return all.length === 1 ? all[0]!.pipeline : null
}

async function diagnose(
  wanted: Extract<CommandText, { kind: 'diagnose' }>,
  question: Question,
  person: Person,
  { audiences, zone, nowMs, keep }: AskPorts,
): Promise<Reply> {
  const { pipeline, sinceMs, thorough } = wanted
  const channels = audiences.find((one) => one.pipeline === pipeline)?.channels ?? []
  const { key, channel } = question
  if (!channels.includes(channel)) return reply(otherChannel(pipeline, channels))
  const how = thorough === undefined ? {} : { thorough }
  const kept = await keep({ kind: 'command', key, atMs: nowMs(), by: person.actor, channel, pipeline, sinceMs, ...how })
  if (kept === 'full') return reply(refusals.full, { again: true })
  if (kept === 'away') return reply(refusals.storeAway, { again: true })
  return reply(looking(wanted, nowMs(), wallClock(person.zone ?? zone)), { diagnoses: pipeline })
}

const patienceMs = 1_200
/** A pipeline has one open incident at most, and so has what maps to none: all of them are read. */
const leastShown = 50

async function status(pipeline: string | null, { channel }: Question, person: Person, ports: AskPorts): Promise<Reply> {
  const here = ports.audiences.filter((one) => one.channels.includes(channel))
  const asked = pipeline === null ? here : here.filter((one) => one.pipeline === pipeline)
  if (pipeline !== null && asked.length === 0) {
    return reply(otherChannel(pipeline, ports.audiences.find((one) => one.pipeline === pipeline)?.channels ?? []))
  }
  try {
    const open = await within(() => ports.incidents({ state: 'open', most: Math.max(leastShown, ports.audiences.length + 1) }), patienceMs)
    return reply(
      statusMessage(
        asked.map((one) => one.pipeline),
        open,
        wallClock(person.zone ?? ports.zone),
      ),
    )
  } catch (error) {
    ports.log.warn('the open incidents could not be read', { err: error })
    return reply(refusals.storeAway)
  }
}
