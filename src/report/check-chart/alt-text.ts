/** What the picture of before and after shows, for those who cannot see it. */
import { duration } from '../../incident/format.ts'
import { capital } from '../../proposal/referrals.ts'
import type { CheckStory } from '../check-chart.ts'
import { clean } from '../clean.ts'
import { changeInWords } from '../messages/incident/change-words.ts'
import { recoveryWords } from '../recovery-words.ts'
import { shorten } from '../wrap.ts'

/** Whoever listens cannot skip: a long name is shortened. */
const longestName = 60

export function checkAltText({ proposal, appliedAtMs, looks, outcome, measured }: CheckStory): string {
  const newest = looks.at(-1) ?? looks[0]
  const since = newest.timeline.zeroS + newest.timeline.now - appliedAtMs / 1000
  const name = shorten(clean(proposal.pipeline), longestName)
  const opening = `Chart of ${name} before and after a change, applied ${duration(Math.max(0, Math.round(since)))} before its end: ${recoveryWords[outcome]}.`
  return clean([opening, `${changeInWords(proposal.action)}.`, ...measured.map(({ says }) => capital(says))].join(' '))
}
