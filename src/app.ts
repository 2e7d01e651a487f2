/**
 * The composition root: the one place that knows which adapter stands behind which port. Each function is one thing a person can
 * ask for; the command line only reads its words and prints what comes back.
 */
import { ENGINE } from './attribution/attribute.ts'
import { configHash } from './config/pipeline-from.ts'
import type { Evidence } from './incident/evidence.ts'
import type { Pipeline } from './incident/pipeline.ts'
import { renderPng } from './picture/png.ts'
import { storyChart } from './report/chart.ts'
import { readBundle, writeBundle } from './sources/bundle.ts'
import { sources } from './sources/index.ts'
import { pause } from './sources/pause.ts'
import type { Clock } from './workflow/clock.ts'
import type { Diagnosis } from './workflow/diagnose.ts'
import { diagnose } from './workflow/diagnose.ts'
import type { Judgement } from './workflow/judge.ts'
import { judge } from './workflow/judge.ts'
import type { Source } from './workflow/ports.ts'

/** Pixels: two columns of a screen, readable in a chat and in print. */
const chartWidth = 1600

export interface LiveOrder {
  readonly pipeline: Pipeline
  /** As in `DiagnoseRequest`. */
  readonly sinceMs?: number | null
  readonly deadlineMs: number
  readonly thorough: boolean
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
  /** Absent = the real ones. */
  readonly sources?: readonly Source[]
  readonly clock?: Clock
}

/** Looks at the running pipeline. @throws HeadwaterError interrupted */
export async function diagnoseLive(order: LiveOrder): Promise<Diagnosis> {
  const ports = { sources: order.sources ?? sources, clock: order.clock ?? systemClock, freeze }
  return diagnose({ ...order, engine: ENGINE, configHash: configHash(order.pipeline) }, ports)
}

/** Judges a bundle; nothing is looked at. @throws HeadwaterError bundle_mistaken, bundle_too_large */
export function replayBundle(content: string | Uint8Array): Judgement {
  return judge(readBundle(content))
}

/** The story of the incident: SVG text, or PNG bytes. */
export async function drawChart(judgement: Judgement, zone: string, form: 'svg' | 'png'): Promise<string | Uint8Array> {
  const svg = storyChart(judgement.timeline, judgement.attribution, { zone, width: chartWidth })
  return form === 'svg' ? svg : renderPng(svg, { width: chartWidth })
}

function freeze(evidence: Evidence): { bundle: string; evidence: Evidence } {
  const bundle = writeBundle(evidence)
  return { bundle, evidence: readBundle(bundle) }
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  wait: pause,
}
