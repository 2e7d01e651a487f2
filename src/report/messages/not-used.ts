/** Readings that were there and carried no weight: by name, so that nobody takes their silence for a clean bill of health. */
import { listed } from '../../incident/format.ts'
import { judgedSignals, knownSignals } from '../../incident/weighed-signals.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { clean } from '../clean.ts'
import type { Item } from '../message.ts'
import { shorten } from '../wrap.ts'

/** Names come from a file that anyone may have written: so many are shown, and so much of each. */
const mostNames = 12
const mostWhenAsked = 100
const longestName = 40

/**
 * @param kept whether to name also what version 1 of the bundle knows and this version does not weigh
 * @param all many names, where somebody asked for more
 */
export function notUsed(timeline: Timeline, kept: boolean, all: boolean): Item[] {
  const most = all ? mostWhenAsked : mostNames
  const there = timeline.signals
  const unknown = there.filter((name) => !knownSignals.has(name))
  const unweighed = kept ? there.filter((name) => knownSignals.has(name) && !judgedSignals.has(name)) : []
  return [
    ...item(unknown, most, 'no signal that a bundle of version 1 knows'),
    ...item(unweighed, most, 'seen, but not weighed by this version'),
  ]
}

function item(names: readonly string[], most: number, why: string): Item[] {
  if (names.length === 0) return []
  const shown = names.map((name) => shorten(clean(name), longestName) || 'a signal without a name')
  return [{ text: `${listed(shown, most)}: ${why}`, note: null }]
}
