/** Leads a newcomer through the whole way: where the story is, what it means in one line, and what to press next. */
import type { Incident, ProposalCard, RecoveryOutcome } from '../incident/incident.ts'
import type { Story } from './story.ts'

export type Stage = 'before' | 'looking' | 'unproposed' | 'proposed' | 'declined' | 'approved' | 'checking' | 'over'

export interface Situation {
  readonly incident: Incident | null
  /** The alert was fired from the page. */
  readonly fired: boolean
  readonly turned: Story['turned']
  /** Demo seconds in one of the machine's while a change is being checked. */
  readonly pace: number
  /** The same with the wrong knob can be told as well. */
  readonly wrongKnobToo: boolean
}

/** What the page is told; which buttons there are, whoever runs the demo knows. */
export interface Guidance {
  readonly stage: Stage
  readonly says: string
  readonly steps: readonly { readonly label: string; readonly state: 'done' | 'now' | 'ahead' }[]
}

const labels = ['Alert', 'Verdict', 'Approve', 'Applied', 'Checked']

/** Steps that are done at a stage. */
const done: Readonly<Record<Stage, number>> = {
  before: 0,
  looking: 1,
  unproposed: 2,
  proposed: 2,
  declined: 2,
  approved: 3,
  checking: 4,
  over: 5,
}

export function guidance(situation: Situation): Guidance {
  const stage = stageOf(situation)
  const count = done[stage]
  const steps = labels.map((label, i) => ({
    label,
    state: i < count ? ('done' as const) : i === count ? ('now' as const) : ('ahead' as const),
  }))
  return { stage, steps, says: says[stage](situation) }
}

function stageOf({ incident, fired }: Situation): Stage {
  if (incident === null) return fired ? 'looking' : 'before'
  const { recovery, verdict } = incident
  if (recovery !== null) return recovery.outcome === null ? 'checking' : 'over'
  if (verdict === null) return 'looking'
  const card = newest(incident)
  if (card === undefined) return 'unproposed'
  if (card.state === 'open') return 'proposed'
  return card.state === 'approved' || card.state === 'applied' ? 'approved' : 'declined'
}

const newest = ({ proposals }: Incident): ProposalCard | undefined => proposals.at(-1)

const says: Readonly<Record<Stage, (situation: Situation) => string>> = {
  before: () => 'The pipeline orders falls behind. Fire its alert, or ask in the channel yourself: /headwater diagnose orders',
  looking: () => 'The alert is in. Headwater reads Kafka, Spark and the table; that takes some seconds.',
  unproposed: () => 'The verdict; its thread has the evidence. It proposes no change. Ask again: /headwater diagnose orders',
  proposed: () =>
    'The verdict; its thread has the evidence. Only an owner may approve it, and you are on call: act as Ben, then press Approve.',
  declined: () => 'This proposal is closed; the thread says why. Start over to see the rest of the way.',
  approved: ({ turned }) =>
    `Approved, and in the ledger. Headwater changes nothing itself: in this recording ${turned.really}. Now press Applied.`,
  checking: ({ pace }) =>
    `Headwater waits until the change can show, and looks at the same signals again. Meanwhile time runs ${pace}× faster.`,
  over: ({ incident, turned, wrongKnobToo }) =>
    `${outcomes[incident?.recovery?.outcome ?? 'cannot_tell']} The thread tells why.${turned.right && wrongKnobToo ? ' Next: the wrong knob.' : ''}`,
}

const outcomes: Readonly<Record<RecoveryOutcome, string>> = {
  recovered: 'Recovered: the signals that showed the trouble are back where the proposal said.',
  moved: 'The pressure moved elsewhere, and Headwater looks for its cause anew.',
  no_effect: 'Not fixed: the change had no effect, and Headwater looks for the cause anew.',
  worse: 'It became worse, and Headwater says to undo the change.',
  not_applied: 'Not fixed: the agreed setting is not to be seen in the pipeline.',
  by_itself: 'It recovered, but not by the change, and Headwater does not claim it.',
  cannot_tell: 'Whether it recovered cannot be told, and Headwater says what was not seen.',
}
