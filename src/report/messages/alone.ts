/** Sentences that only the one who asked or pressed sees: what Headwater understands, and why it does not do what was asked. */
import type { Incident } from '../../incident/incident.ts'
import type { Message, Part, Text } from '../message.ts'
import { plain } from '../plain.ts'
import type { WallClock } from '../wall-clock.ts'
import type { Said } from './incident/home.ts'
import { instant } from './incident/instant.ts'

/** One sentence, or a few that belong together. */
export function sentence(text: Text): Said {
  return { text: plain(text), body: [{ kind: 'answers', rows: [{ label: '', text }] }] }
}

export function helpMessage(command: string): Said {
  const items = [
    `${command} diagnose <pipeline>`,
    `${command} diagnose <pipeline> since 14:05`,
    `${command} diagnose <pipeline> last 2h`,
    `${command} diagnose <pipeline> thorough`,
    `${command} status`,
  ]
  const body: Message = [
    { kind: 'answers', rows: [{ label: '', text: 'I name what holds a pipeline back, or say that it cannot be told. I change nothing.' }] },
    { kind: 'commands', title: 'You can write', items: items.map((one) => ({ number: null, command: one, expect: [] })), left: 0 },
    { kind: 'small', rows: ['Slack takes no commands inside a thread. There, mention me instead and write the same words behind it.'] },
  ]
  return { text: 'What Headwater understands', body }
}

/** @param open incidents of these pipelines, the newest first */
export function statusMessage(pipelines: readonly string[], open: readonly Incident[], clock: WallClock): Said {
  if (pipelines.length === 0) return sentence('No pipeline may be asked about in this channel.')
  const rows = pipelines.map((pipeline) => ({
    label: pipeline,
    text: stateOf(open.find((one) => one.pipeline === pipeline) ?? null, clock),
  }))
  const count = rows.filter((_, place) => open.some((one) => one.pipeline === pipelines[place])).length
  const text =
    count === 0 ? 'No incident is open' : `${count} of ${pipelines.length} pipelines ${count === 1 ? 'has' : 'have'} an open incident`
  return {
    text,
    body: [
      { kind: 'headline', tone: 'plain', text, below: null },
      { kind: 'answers', rows },
    ],
  }
}

function stateOf(incident: Incident | null, clock: WallClock): Text {
  if (incident === null) return 'no open incident'
  const what = incident.verdict === null ? 'being looked at' : incident.verdict.headline || incident.verdict.outcome
  return [`${what}, open since `, instant(incident.openedAtMs / 1000, clock)]
}

/** A look reads at least so much, ms: without what was before nothing can be told apart from the usual. */
const leastMs = 3_600_000

/** What was understood, so that a time in the wrong zone is noticed. */
export function looking(
  { pipeline, sinceMs, thorough }: { readonly pipeline: string; readonly sinceMs: number | null; readonly thorough?: true },
  nowMs: number,
  clock: WallClock,
): Said {
  const since: Part[] = sinceMs === null ? [] : [' since ', instant(sinceMs / 1000, clock)]
  const hour = sinceMs !== null && nowMs - sinceMs < leastMs ? ' I read the whole last hour all the same, to know what is usual.' : ''
  const time = thorough === true ? ' It takes some 20 seconds.' : ''
  return sentence([
    `I am looking at ${pipeline}`,
    ...since,
    `.${hour}${time} The answer is the message of its incident in this channel; if one stands here already, it is edited.`,
  ])
}

/** @param channels where it may be asked about */
export function otherChannel(pipeline: string, channels: readonly string[]): Said {
  if (channels.length === 0) return sentence(`Nobody may ask about ${pipeline} from Slack yet: its configuration names no channel.`)
  const named = channels.slice(0, 5).flatMap((channel, place): Part[] => [place === 0 ? '' : ', ', { channel }])
  return sentence([`Please ask about ${pipeline} in `, ...named, '. This channel is not one of those that its owners named.'])
}

/** @param name our handle in Slack, without "@" */
export function invite(pipeline: string, name: string): Said {
  const body: Message = [
    {
      kind: 'answers',
      rows: [
        { label: '', text: `I look at ${pipeline}, but I am not in this channel and cannot join it. Invite me, and I post the answer:` },
      ],
    },
    { kind: 'commands', title: '', items: [{ number: null, command: `/invite @${name}`, expect: [] }], left: 0 },
  ]
  return { text: `I am not in this channel. Write: /invite @${name}`, body }
}

export const refusals = {
  guest: sentence('Guests may read along, but not ask for a diagnosis. Please ask somebody of the team.'),
  foreign: sentence('You belong to another workspace. Please ask somebody of this one.'),
  bot: sentence('An app cannot ask for a diagnosis here. It can send an alert instead.'),
  whoAreYou: sentence('Slack did not tell me who you are just now, so nothing was done. Please try again.'),
  groups: sentence('Slack did not tell me who is in the owners’ group just now, so nothing was decided. Please press again.'),
  storeAway: sentence(
    'I could not keep this: my store does not answer. Nothing was started, as far as I know; doing it again does no harm.',
  ),
  full: sentence('Too much is waiting for this pipeline right now. Please try again in a minute.'),
  unknownButton: sentence('This button belongs to an incident that is not known any more.'),
  tooLate: sentence('Slack gave me too little time to ask you for more. Nothing was decided; please press again.'),
} as const satisfies Readonly<Record<string, Said>>
