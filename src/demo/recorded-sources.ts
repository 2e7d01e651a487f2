/**
 * A story as sources: they answer what the real ones answered when it was lived, with its times moved to the demo's. Only a look that
 * was asked by now is known, and nothing but answers is in it: whoever asks has to judge them anew.
 */
import { emptyFindings } from '../incident/findings.ts'
import type { Source } from '../workflow/ports.ts'
import { movedFindings } from './moved-findings.ts'
import type { Instant } from './playback.ts'
import type { LookRecord, Recorded } from './story.ts'

/** Questions that are remembered until their second look. */
const mostQuestions = 20

interface Known {
  readonly look: LookRecord | undefined
  readonly spanMs: number
}

/**
 * @param real the sources that were asked when the story was lived; which of them apply to a pipeline, they still say themselves
 * @param at which instant of the story it is now
 */
export function recordedSources(
  real: readonly Pick<Source, 'name' | 'applies' | 'absent'>[],
  { looks }: Pick<Recorded, 'looks'>,
  at: () => Instant,
): readonly Source[] {
  const questions = new Map<number, Known>()
  /** All answers to one question are of the same look: a second one builds on the first, whatever has become known meanwhile. */
  const known = (askedAtMs: number): Known => {
    const before = questions.get(askedAtMs)
    if (before !== undefined) return before
    const { storyMs, spanMs } = at()
    const now = { look: looks.findLast((look) => look.askedAtMs <= storyMs), spanMs }
    questions.set(askedAtMs, now)
    const [oldest] = questions.keys()
    if (questions.size > mostQuestions && oldest !== undefined) questions.delete(oldest)
    return now
  }
  return real.map(({ name, applies, absent }): Source => {
    const answer = (turn: 1 | 2, askedAtMs: number) => {
      const { look, spanMs } = known(askedAtMs)
      const found = look?.turns.find((one) => one.source === name && one.turn === turn)?.findings
      return found === undefined ? emptyFindings(name) : movedFindings(found, spanMs)
    }
    return {
      name,
      applies,
      absent,
      collect: async (question) => answer(1, question.askedAtMs),
      lookAgain: async (question) => answer(2, question.askedAtMs),
    }
  })
}
