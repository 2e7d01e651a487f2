/** What somebody who needs more is told: which of the choices was taken, and what the verdict that stands has to say to it. */
import { share } from '../../../incident/format.ts'
import type { More } from '../../../incident/more.ts'
import { canBe, wordsFor } from '../../cause-words.ts'
import { clean } from '../../clean.ts'
import { decides } from '../../decides.ts'
import type { Block, Message } from '../../message.ts'
import { signalWord } from '../../signal-words.ts'
import { withTimes } from '../../times-in-text.ts'
import type { WallClock } from '../../wall-clock.ts'
import type { Judged, Said } from './home.ts'
import { instant } from './instant.ts'

/** As the rest of "Wanted: …". */
export function moreInWords(more: More): string {
  switch (more.want) {
    case 'longer_window':
      return 'a look at the last 3 hours'
    case 'deciding_reading':
      return 'a thorough look, for the reading that would decide'
    case 'why_not':
      return `why it is not "${wordsFor(more.cause).title}"`
  }
}

/**
 * @param judged the verdict that stood when it was asked; null = its evidence is kept no longer
 * @param atMs when that verdict was reached
 * @returns null = the new look is the answer
 */
export function moreAnswer(more: More, judged: Judged | null, atMs: number, clock: WallClock): Said | null {
  if (more.want === 'longer_window') return null
  if (judged === null) return more.want === 'why_not' ? said(titleOf(more.cause), gone, [], null) : null
  const [text, answer, blocks] = more.want === 'why_not' ? whyNot(more.cause, judged, clock) : deciding(judged, clock)
  return said(text, answer, blocks, { kind: 'small', rows: [['From the verdict of ', instant(atMs / 1000, clock)]] })
}

const gone = 'The evidence of this verdict is kept no longer, so this cannot be answered from it. Ask for a new diagnosis.'

function said(text: string, answer: string, blocks: readonly Block[], below: Block | null): Said {
  const body: Message = [{ kind: 'answers', rows: [{ label: text, text: clean(answer) }] }, ...blocks, ...(below === null ? [] : [below])]
  return { text: `${text}: ${clean(answer)}`, body }
}

type Answer = readonly [text: string, answer: string, blocks: readonly Block[]]

const titleOf = (cause: string): string => `Why not "${wordsFor(cause).title}"`

/** Less likely than this counts as ruled out by the engine. */
const leastLikely = 0.05

function whyNot(cause: string, judged: Judged, clock: WallClock): Answer {
  const { attribution, timeline } = judged
  const say = (text: string): string => withTimes(text, timeline, clock)
  const title = titleOf(cause)
  if (attribution.outcome === 'cause' && attribution.cause === cause) return [title, 'It is the cause that was found.', []]
  if (attribution.also.includes(cause)) return [title, 'It acts at the same time as the cause that was found.', []]
  const out = attribution.ruledOut.find((one) => one.cause === cause)
  if (out !== undefined) {
    const { check } = out
    const items = check === undefined ? [] : [{ number: null, command: check.command, expect: [say(check.expect)] }]
    return [
      title,
      `Ruled out: ${say(out.by)}`,
      items.length === 0 ? [] : [{ kind: 'commands', title: 'Check it yourself (read-only)', items, left: 0 }],
    ]
  }
  const follows = attribution.consequences.find((one) => one.cause === cause)
  if (follows !== undefined) {
    const of = wordsFor(follows.of, timeline.pipeline).title
    return [title, `It is a consequence of "${of}"; without that ${share(follows.share)} of the extra time is left.`, []]
  }
  if (!canBe(cause, timeline.pipeline)) return [title, 'This kind of reader has no part that could be ill in this way.', []]
  const p = attribution.ranking.find(([name]) => name === cause)?.[1] ?? 0
  if (p < leastLikely) return [title, 'No single reading rules it out, but what was seen fits something else far better.', []]
  const open = attribution.outcome === 'inconclusive' ? 'it is one of those that may be.' : 'the cause that was found fits better.'
  return [title, `It is not ruled out: ${open}`, decidingRows(judged, clock)]
}

function deciding(judged: Judged, clock: WallClock): Answer {
  const rows = decidingRows(judged, clock)
  const answer = rows.length === 0 ? 'No single reading is missing.' : 'One reading would decide.'
  return ['The deciding reading', `${answer} Headwater looks again, and takes time for what only a heartbeat (10 s) shows.`, rows]
}

function decidingRows({ attribution, timeline }: Judged, clock: WallClock): Block[] {
  const { signal, how } = decides(attribution, timeline)
  if (signal === null) return []
  const get = how === null ? [] : [{ label: 'To get it', text: clean(withTimes(how, timeline, clock)) }]
  return [{ kind: 'answers', rows: [{ label: 'It is', text: signalWord(signal) }, ...get] }]
}
