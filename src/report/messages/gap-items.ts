/** What was not seen: which source, which readings, when, why, and the line that would close the gap. */
import type { Gap } from '../../incident/evidence.ts'
import { listed } from '../../incident/format.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import type { Item } from '../message.ts'
import { sourceWord } from '../source-words.ts'
import type { WallClock } from '../wall-clock.ts'

interface Group {
  readonly source: string
  readonly signals: string[]
  readonly when: string | null
  readonly reason: string
  readonly mend: string | null
}

/** Many readings of one source are often missing for one reason: said once, with at most so many names of signals. */
export function gapItems(
  gaps: readonly Gap[],
  timeline: Timeline,
  clock: WallClock,
  say: (text: string) => string,
  mostSignals: number,
): Item[] {
  const groups = new Map<string, Group>()
  for (const gap of gaps) {
    const when = stretch(gap, timeline, clock)
    const key = JSON.stringify([gap.source, gap.reason, gap.mend ?? null, when])
    const group: Group = groups.get(key) ?? { source: gap.source, signals: [], when, reason: gap.reason, mend: gap.mend ?? null }
    if (gap.signal !== null && !group.signals.includes(gap.signal)) group.signals.push(gap.signal)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ source, signals, when, reason, mend }) => ({
    text: `${sourceWord(source)}${signals.length === 0 ? '' : ` (${listed(signals, mostSignals)})`}${when === null ? '' : `, ${when}`}: ${say(reason)}`,
    note: mend === null ? null : say(mend),
  }))
}

/** Times only where the gap is a part of what was asked for: "10:31:00 to 10:31:47", "before 10:31:47". */
function stretch(gap: Gap, timeline: Timeline, clock: WallClock): string | null {
  if (gap.from === undefined || gap.to === undefined) return null
  const moment = (t: number): string => clock.moment(timeline.zeroS + t, timeline.zeroS + timeline.now)
  const [fromStart, toEnd] = [gap.from <= 0, gap.to >= timeline.now - 1]
  if (fromStart && toEnd) return null
  if (fromStart) return `before ${moment(gap.to)}`
  return toEnd ? `since ${moment(gap.from)}` : `${moment(gap.from)} to ${moment(gap.to)}`
}
