/** How a running service looks at a pipeline, draws what it found, and what it proposes. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { diagnoseLive } from '../app.ts'
import { HeadwaterError } from '../errors.ts'
import type { Evidence } from '../incident/evidence.ts'
import type { Pipeline } from '../incident/pipeline.ts'
import type { Remedy } from '../incident/proposal.ts'
import type { Log } from '../log.ts'
import { renderPng } from '../picture/png.ts'
import { propose } from '../proposal/propose.ts'
import { storyChart } from '../report/chart.ts'
import type { Judged } from '../report/messages/incident/home.ts'
import { homeChart } from '../report/messages/incident/home.ts'
import { readBundle } from '../sources/bundle.ts'
import type { Clock } from '../workflow/clock.ts'
import type { DiagnosePorts } from '../workflow/diagnose-incident.ts'
import type { Source } from '../workflow/ports.ts'

/** For one look, as on the terminal. */
const deadlineMs = 10_000

export interface LookOptions {
  readonly pipelines: readonly Pipeline[]
  /** IANA zone of the times in the chart. */
  readonly zone: string
  /** undefined = the real ones. */
  readonly sources: readonly Source[] | undefined
  readonly clock: Clock
  readonly log: Log
}

const zipped = promisify(gzip)

export function lookPorts({ pipelines, zone, sources, clock, log }: LookOptions): Pick<DiagnosePorts, 'examine' | 'propose' | 'draw'> {
  const byName = new Map(pipelines.map((one) => [one.name, one]))
  const evidenceOf = new WeakMap<Judged['timeline'], Evidence>()
  return {
    async examine({ pipeline: name, sinceMs, signal }) {
      const pipeline = byName.get(name)
      if (pipeline === undefined) throw new HeadwaterError('config_mistaken', `the configuration has no pipeline ${name}`)
      const order = { pipeline, sinceMs, deadlineMs, thorough: false, signal, progress: () => {}, clock }
      const diagnosis = await diagnoseLive({ ...order, ...(sources === undefined ? {} : { sources }) })
      const { bundle, timeline, attribution, looks, sawAnything } = diagnosis
      if (!sawAnything) log.warn('nothing could be read of a pipeline', { pipeline: name, gaps: attribution.gaps })
      const seconds = Object.fromEntries(looks.filter(({ turn }) => turn === 1).map((one) => [one.findings.source, one.seconds]))
      log.info('a pipeline was looked at', { pipeline: name, seconds, gaps: attribution.gaps.length })
      evidenceOf.set(timeline, readBundle(bundle))
      return { timeline, attribution, bundle: await zipped(bundle) }
    },
    propose(judged): Remedy {
      const evidence = evidenceOf.get(judged.timeline)
      const declared = byName.get(judged.timeline.pipeline.name)?.declared
      if (evidence === undefined || declared === undefined) throw new HeadwaterError('internal', 'a proposal was asked for without a look')
      return propose({ ...judged, evidence }, declared)
    },
    async draw({ timeline, attribution }) {
      const svg = storyChart(timeline, attribution, { zone, ...homeChart })
      return renderPng(svg, { width: homeChart.width })
    },
  }
}
