/** What the picture shows, for those who cannot see it: the verdict, then each panel's change from before the onset to now. */
import type { Attribution } from '../../attribution/attribution.ts'
import type { Line, Timeline } from '../../timeline/timeline.ts'
import { wordsFor } from '../cause-words.ts'
import { clean } from '../clean.ts'
import { duration, rate, records } from '../format.ts'
import { lastSeen, median, seen } from '../line.ts'
import { flowName, highlightedFlows } from './highlighted.ts'
import { type PanelName, reasonFor } from './holes.ts'
import { shownWindow } from './shown-window.ts'

/** Levels are medians over this stretch before the onset, and before now. */
const levelS = 60

export function altText(timeline: Timeline, attribution: Attribution | null): string {
  const window = shownWindow(timeline, attribution)
  const onset = attribution?.onset?.[0] ?? null
  const change = (line: Line, write: (v: number) => string): string | null => {
    const now = median(seen(line, window.to - levelS, window.to).map((point) => point.v)) ?? lastSeen(line)?.v ?? null
    if (now === null) return null
    const before = onset === null ? null : median(seen(line, Math.min(window.from, onset - levelS), onset).map((point) => point.v))
    return before === null || write(before) === write(now) ? write(now) : `from ${write(before)} to ${write(now)}`
  }
  const hot = highlightedFlows(timeline, attribution)
  const sentences = [
    opening(timeline, attribution, window.to - window.from),
    ...hot.map((flow) => said(`Intake of ${flowName(flow, timeline)}`, change(flow.intake, rate), 'intake', timeline)),
    said('Intake in total', change(timeline.intake, rate), 'intake', timeline),
    said('Lag', change(timeline.lag, records), 'lag', timeline),
    said('Batch duration', change(batchLine(timeline), duration), 'batches', timeline),
    openBatch(timeline),
    said('Task slots', change(timeline.slots, String), 'slots', timeline),
    said('Age of the newest commit', change(timeline.freshness, (v) => duration(Math.round(v))), 'freshness', timeline),
  ]
  return clean(sentences.filter((sentence) => sentence !== null).join(' '))
}

function opening(timeline: Timeline, attribution: Attribution | null, length: number): string {
  const what = attribution === null ? 'no verdict' : attribution.outcome === 'cause' && attribution.cause !== null ? wordsFor(attribution.cause).phrase : attribution.outcome === 'none' ? wordsFor('none').phrase : 'inconclusive'
  const onset = attribution?.onset ?? null
  const began = onset === null ? '' : ` It began ${duration(Math.round(timeline.now - (onset[0] + onset[1]) / 2))} before the end.`
  return `Chart of ${timeline.pipeline.name} over ${duration(Math.round(length))}: ${what}.${began}`
}

function said(name: string, words: string | null, panel: PanelName, timeline: Timeline): string {
  return words === null ? `${name} not seen: ${reasonFor(panel, timeline)}.` : `${name}: ${words}.`
}

function batchLine(timeline: Timeline): Line {
  const done = timeline.batches.filter((batch) => !batch.open)
  return { t: done.map((batch) => batch.start + batch.seconds), v: done.map((batch) => batch.seconds) }
}

function openBatch(timeline: Timeline): string | null {
  const last = timeline.batches.at(-1)
  return last?.open === true ? `One batch is open for ${duration(last.seconds)}.` : null
}
