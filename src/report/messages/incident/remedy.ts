/** What is to be done where no change is proposed, in full: a text to be forwarded to whoever can end it, or the whole reason and what it would take. */
import type { Incident } from '../../../incident/incident.ts'
import type { Referral, Refusal } from '../../../incident/proposal.ts'
import { wordsFor } from '../../cause-words.ts'
import { clean } from '../../clean.ts'
import type { Message, Text } from '../../message.ts'
import { placeInWords } from '../../place-words.ts'
import type { WallClock } from '../../wall-clock.ts'
import type { Judged, Said } from './home.ts'
import { ofPipeline, since } from './home.ts'
import { owners } from './what-to-do.ts'

/** @returns null = a change is proposed: it has its own message; or there is no remedy yet */
export function remedyMessage({ pipeline, remedy }: Incident, judged: Judged, clock: WallClock): Said | null {
  if (remedy === null || remedy.kind === 'proposal') return null
  return remedy.kind === 'referral' ? toForward(pipeline, remedy, judged, clock) : noChange(remedy)
}

/** Understood by somebody who has seen nothing else of the incident. */
function toForward(pipeline: string, { to, say }: Referral, judged: Judged, clock: WallClock): Said {
  const { attribution, timeline } = judged
  const text = `For ${owners[to]}`
  const rows: { label: string; text: Text }[] = [
    { label: 'Found', text: ofPipeline(pipeline, wordsFor(attribution.cause ?? 'none', timeline.pipeline).phrase) },
    { label: 'Where', text: placeInWords(attribution.place) ?? '' },
    { label: 'Since', text: since(judged, clock) ?? '' },
  ]
  const body: Message = [
    { kind: 'headline', tone: 'strong', text, below: null },
    { kind: 'answers', rows: rows.filter((row) => row.text !== '') },
    { kind: 'list', title: 'What was seen, and what to ask', mark: '·', tone: 'plain', items: say.map(item), left: 0 },
    { kind: 'small', rows: ['No setting of the reader ends this, so no change is proposed. This message can be forwarded as it is.'] },
  ]
  return { text: `${text}: ${ofPipeline(pipeline, clean(say[0] ?? ''))}`, body }
}

const item = (text: string) => ({ text: clean(text), note: null })

function noChange({ reason, needs }: Refusal): Said {
  const rows = [
    { label: 'Why', text: clean(reason) },
    ...(needs === null ? [] : [{ label: 'What would make a proposal possible', text: clean(needs) }]),
  ]
  const text = 'No change is proposed'
  return {
    text: `${text}: ${clean(reason)}`,
    body: [
      { kind: 'headline', tone: 'strong', text, below: null },
      { kind: 'answers', rows },
    ],
  }
}
