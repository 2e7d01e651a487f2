/** What the picture shows, for those who cannot see it: the verdict, then each panel's change from before the onset to now. */
import type { Attribution } from '../../attribution/attribution.ts'
import { duration, rate, records } from '../../incident/format.ts'
import { median } from '../../timeline/robust.ts'
import type { Line, Timeline } from '../../timeline/timeline.ts'
import { wordsFor } from '../cause-words.ts'
import { clean } from '../clean.ts'
import { lagRead, lastSeen, levelNow, seen } from '../line.ts'
import { onTimeS } from '../scheduling-words.ts'
import { shorten } from '../wrap.ts'
import { flowName, highlightedFlows } from './highlighted.ts'
import type { PanelName } from './holes.ts'
import { reasonFor } from './holes.ts'
import { shownWindow } from './shown-window.ts'

/** The level before the onset is the median over what the chart shows of it, and at least over this. */
const baselineS = 60

/** Levels closer than this are not called a change. */
const alike = 0.1

/** Whoever listens cannot skip: a long name is shortened. */
const longestName = 60

export function altText(timeline: Timeline, attribution: Attribution | null): string {
  const window = shownWindow(timeline, attribution)
  const onset = attribution?.onset ?? null
  const change = (line: Line, write: (v: number) => string, now = lastSeen(line)?.v ?? null): string | null => {
    if (now === null) return null
    const usual = onset === null ? [] : seen(line, Math.min(window.from, onset[0] - baselineS), onset[0]).map((point) => point.v)
    if (usual.length === 0) return write(now)
    const before = median(usual)
    return Math.abs(now - before) <= alike * Math.max(now, before) ? `${write(now)}, as before` : `from ${write(before)} to ${write(now)}`
  }
  const rising = (line: Line): string | null => change(line, rate, levelNow(line, window.to, onset?.[1] ?? null))
  const hot = highlightedFlows(timeline, attribution)
  const sentences = [
    opening(timeline, attribution, window.to - window.from),
    ...hot.map((flow) => said(`Intake of ${flowName(flow, timeline)}`, rising(flow.intake), 'intake', timeline)),
    said('Intake in total', rising(timeline.intake), 'intake', timeline),
    said('Lag', change(lagRead(timeline.lag, timeline.partitions, timeline.now), records), 'lag', timeline),
    said('Batch duration', change(batchLine(timeline), duration), 'batches', timeline),
    openBatch(timeline),
    lateStart(timeline),
    said('Task slots', change(timeline.slots, String), 'slots', timeline),
    said(
      'Age of the newest commit',
      change(timeline.freshness, (v) => duration(Math.round(v))),
      'freshness',
      timeline,
    ),
  ]
  return clean(sentences.filter((sentence) => sentence !== null).join(' '))
}

function opening(timeline: Timeline, attribution: Attribution | null, length: number): string {
  const what =
    attribution === null
      ? 'no verdict'
      : attribution.outcome === 'cause' && attribution.cause !== null
        ? wordsFor(attribution.cause, timeline.pipeline).phrase
        : attribution.outcome === 'none'
          ? wordsFor('none').phrase
          : 'inconclusive'
  const onset = attribution?.onset ?? null
  const began = onset === null ? '' : ` It began ${duration(Math.round(timeline.now - (onset[0] + onset[1]) / 2))} before the end.`
  return `Chart of ${shorten(clean(timeline.pipeline.name), longestName)} over ${duration(Math.round(length))}: ${what}.${began}`
}

function said(name: string, words: string | null, panel: PanelName, timeline: Timeline): string {
  return words === null ? `${name} not seen: ${reasonFor(panel, timeline)}.` : `${name}: ${words}.`
}

function batchLine(timeline: Timeline): Line {
  const done = timeline.batches.filter((batch) => !batch.open)
  return { t: done.map((batch) => batch.start + batch.seconds), v: done.map((batch) => batch.seconds) }
}

function lateStart({ scheduling }: Timeline): string | null {
  const now = scheduling.line.v.at(-1) ?? null
  if (now === null || now < onTimeS) return null
  return scheduling.waitsSince === null
    ? `The newest batch began ${duration(now)} after its trigger.`
    : `The trigger of the next batch is ${duration(now)} past.`
}

function openBatch(timeline: Timeline): string | null {
  const last = timeline.batches.at(-1)
  return last?.open === true ? `One batch is open for ${duration(last.seconds)}.` : null
}
