/**
 * One "attend" job: what came in for a pipeline is dealt with in steps, each of them one commit. An input that can never be dealt
 * with is set aside with its error, so that it neither stops the others nor is asked for for ever.
 */
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Incident } from '../incident/incident.ts'
import type { Input } from '../incident/input.ts'
import { passTime } from '../incident/pass-time.ts'
import type { Actor } from '../incident/trigger.ts'
import { anchorDigits, chain, personCommitment } from '../signoff/chain.ts'
import type { Draft, Entry, Head } from '../signoff/ledger.ts'
import type { Answer, House } from './attend.ts'
import { attend } from './attend.ts'
import { consequences, sendJobs } from './consequences.ts'
import type { Attended, Change, Store } from './incident-ports.ts'
import type { Teller } from './teller.ts'
import { vouchedFor } from './vouched-for.ts'
import { answerMessage } from './wanted-messages.ts'

/** Inputs dealt with in one commit. */
const mostInputs = 200
/** Tries against others who move the same incident. */
const mostTries = 20

export interface AttendPorts {
  readonly store: Store
  readonly teller: Teller
  readonly nowMs: () => number
  /** Fresh salt for a person the ledger has not met. */
  readonly freshSalt: () => string
  readonly house: (pipeline: string) => Omit<House, 'who' | 'vouched'>
  readonly ledgerKey: string
  /** For the log: this input was set aside. */
  readonly asideTold: (input: Input, error: unknown) => void
  /** For the log: what follows is about this incident; absent = nobody asks. */
  readonly aboutIncident?: (id: string) => void
}

/** @throws HeadwaterError contended (retryable) when others kept moving the incident */
export async function attendPipeline(pipeline: string, ports: AttendPorts): Promise<void> {
  let most = mostInputs
  for (let tries = 0; tries < mostTries; ) {
    const read = await ports.store.attend(pipeline, most)
    if (read.inputs.length === 0) return
    if (read.incident?.state === 'open') ports.aboutIncident?.(read.incident.id)
    let done: boolean
    try {
      done = await deal(read, ports)
    } catch (error) {
      if (error instanceof HeadwaterError && error.retryable) throw error
      if (read.inputs.length > 1) {
        // One of them stands in the way of the others: from here on one by one, until it is found.
        most = 1
        continue
      }
      done = await setAside(read, error, ports)
      most = mostInputs
    }
    if (!done) tries++
  }
  throw new HeadwaterError('contended', `the incident of ${pipeline} is being moved by others all the time`)
}

async function deal(read: Attended, ports: AttendPorts): Promise<boolean> {
  const house = ports.house(read.pipeline)
  const who = await commitments(
    read.inputs.map((one) => one.input),
    ports,
  )
  const vouched = await vouchedFor(read, ports)
  const nowMs = ports.nowMs()
  const over = pastItsEnd(read.incident, nowMs)
  // The store has one open incident a pipeline: the next one can open only after this one is closed there.
  if (over !== null) return settle({ ...untouched(read), after: over }, nowMs, ports)
  const { incident, drafts, answers } = attend(read.incident, read.inputs, read.head, nowMs, { ...house, who, vouched })
  const inputs = read.inputs.map((one) => one.mark)
  return settle({ ...untouched(read), after: incident, drafts, answers, inputs }, nowMs, ports)
}

/** What has become of an incident whose end has come while its tick has not run; null = its end has not come. */
function pastItsEnd(incident: Incident | null, nowMs: number): Incident | null {
  if (incident === null || incident.state === 'closed') return null
  const passed = passTime(incident, nowMs)
  return passed.state === 'closed' ? passed : null
}

const untouched = ({ incident, version, head }: Attended) => ({ before: incident, version, head, drafts: [], answers: [], inputs: [] })

/** The only input that was read: trying it again would not help, and the next ones must not wait behind it. */
async function setAside(read: Attended, error: unknown, ports: AttendPorts): Promise<boolean> {
  const { mark, input } = read.inputs[0]!
  const nowMs = ports.nowMs()
  const text = 'Headwater could not deal with this, and trying again would not help. It is kept for whoever runs Headwater.'
  const answer = input.kind === 'press' ? { answerTo: input.answerTo } : input.kind === 'command' ? { answerTo: null } : null
  const answers =
    answer === null || !('by' in input)
      ? []
      : [
          answerMessage(
            { ...answer, key: input.key, to: input.by, channel: input.channel, text },
            read.incident?.id ?? '',
            read.version + 1,
          ),
        ]
  const aside = [{ input, atMs: nowMs, why: messageOf(error) }]
  const change: Change = { inputs: [mark], aside, incident: null, messages: answers, jobs: sendJobs(answers, nowMs), ledger: null }
  const done = (await ports.store.commit(change)) === 'done'
  if (done) ports.asideTold(input, error)
  return done
}

export interface Move {
  readonly before: Incident | null
  readonly version: number
  readonly after: Incident | null
  readonly head: Head
  readonly drafts: readonly Draft[]
  readonly answers: readonly Answer[]
  /** Marks of the inputs that it has dealt with. */
  readonly inputs: readonly string[]
}

/** Writes a move with all that follows from it. @returns false = somebody else was first, and everything must be read again */
export async function settle(move: Move, nowMs: number, ports: Pick<AttendPorts, 'store' | 'teller' | 'ledgerKey'>): Promise<boolean> {
  const { before, after, version, head } = move
  // A new incident of a pipeline whose last one is closed starts its own versions.
  const opens = after !== null && before?.id !== after.id
  const from = opens ? null : before
  const edition = (opens ? 0 : version) + 1
  const own = after === null ? [] : consequences(from, after, { before: [], after: [] }, edition, nowMs).drafts
  const entries = chain(head, [...move.drafts, ...own], ports.ledgerKey)
  const signed = after === null ? null : withAnchors(after, entries)
  const wanted = signed === null ? { before: [], after: [] } : await ports.teller.wanted(from, signed, edition)
  const follows = signed === null ? null : consequences(from, signed, wanted, edition, nowMs)
  const answers = move.answers.map((answer) => answerMessage(answer, after?.id ?? '', edition))
  const change: Change = {
    inputs: move.inputs,
    aside: [],
    incident: signed === null || signed === before ? null : { value: signed, version: opens ? 0 : version },
    messages: [...(follows?.messages ?? []), ...answers],
    jobs: [...(follows?.jobs ?? []), ...sendJobs(answers, nowMs)],
    ledger: entries.length === 0 ? null : { after: head, entries },
  }
  return (await ports.store.commit(change)) === 'done'
}

function withAnchors(incident: Incident, entries: readonly Entry[]): Incident {
  const digests = new Map(entries.map((entry) => [entry.number, entry.digest.slice(0, anchorDigits)]))
  const proposals = incident.proposals.map((card) => ({
    ...card,
    decisions: card.decisions.map((one) => (one.anchor === '' ? { ...one, anchor: digests.get(one.ledger) ?? '' } : one)),
  }))
  return entries.length === 0 ? incident : { ...incident, proposals }
}

async function commitments(inputs: readonly Input[], ports: AttendPorts): Promise<(person: Actor) => string> {
  const known = new Map<string, string>()
  for (const input of inputs) {
    if (input.kind !== 'press') continue
    const salt = await ports.store.salt(input.by, ports.freshSalt())
    // Somebody who was erased and presses again is nobody the ledger knows.
    known.set(`${input.by.team}/${input.by.user}`, salt === null ? 'erased' : personCommitment(input.by, salt))
  }
  return ({ team, user }) => known.get(`${team}/${user}`) ?? 'not known'
}
