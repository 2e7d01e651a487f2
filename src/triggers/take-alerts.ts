/**
 * From an authentic body to stored inputs: parse, route, keep. No thinking beyond that; whoever sent it waits for the answer.
 *
 * An input's key says what is the same event: format, fingerprint, status, and since when the alert holds. Two Alertmanagers of one
 * cluster, a repeated delivery, the same alert in another group: one input. The alert resolved, or fired again later: another one. An
 * alert about several pipelines is one input for each.
 *
 * An alert that goes on firing is another event every ten minutes, or its repetitions would never bring a new diagnosis. Copies on
 * both sides of such a border are two inputs; that the second one is too soon to ask again is for the incident to see.
 */
import type { Router } from '../incident/audience.ts'
import { incidentRules } from '../incident/incident-rules.ts'
import type { Alert } from '../incident/trigger.ts'
import type { Unmapped } from '../incident/unmapped.ts'
import { noPipeline } from '../incident/unmapped.ts'
import type { Store } from '../workflow/incident-ports.ts'
import type { Format, ReportedAlert } from './formats/format.ts'

export interface TakePorts {
  readonly put: Store['put']
  readonly pipelinesOf: Router
  readonly nowMs: () => number
}

/** What became of the alerts of one delivery; an alert about two pipelines counts twice. */
export interface Taken {
  readonly kind: 'taken'
  readonly stored: number
  /** Had been stored before. */
  readonly known: number
  /** Of those, alerts that no pipeline means. */
  readonly unmapped: number
  /** Resolved, and no pipeline means them: nothing to do, nothing to say. */
  readonly ignored: number
  /** Left out by the sender. */
  readonly omitted: number
}

/** Alerts that are on their way to the store at once. */
const atOnce = 32

/** @throws whatever the store throws: then nothing may be acknowledged, and the sender has to come again */
export async function takeAlerts(
  format: Format,
  body: unknown,
  ports: TakePorts,
): Promise<Taken | { readonly kind: 'mistaken'; readonly say: string }> {
  const reading = format.parse(body)
  if (reading.kind === 'mistaken') return reading
  const atMs = ports.nowMs()
  const inputs: (Alert | Unmapped)[] = []
  let ignored = 0
  for (const reported of reading.alerts) {
    const pipelines = ports.pipelinesOf(reported.labels)
    inputs.push(...pipelines.map((pipeline) => alertInput(format.name, reported, pipeline, atMs)))
    if (pipelines.length > 0) continue
    if (reported.status === 'firing') inputs.push(unmappedInput(format.name, reported, atMs))
    else ignored++
  }
  let stored = 0
  for (let i = 0; i < inputs.length; i += atOnce) {
    const answers = await Promise.all(inputs.slice(i, i + atOnce).map((input) => ports.put(input)))
    stored += answers.filter((answer) => answer === 'stored').length
  }
  const unmapped = inputs.filter((input) => input.kind === 'unmapped').length
  return { kind: 'taken', stored, known: inputs.length - stored, unmapped, ignored, omitted: reading.omitted }
}

function alertInput(format: string, reported: ReportedAlert, pipeline: string, atMs: number): Alert {
  const { status, fingerprint, startsAtMs } = reported
  const turn = status === 'firing' ? [Math.floor(atMs / incidentRules.repeatEveryMs)] : []
  return {
    ...reported,
    kind: 'alert',
    key: ['alert', pipeline, format, fingerprint, status, startsAtMs ?? '-', ...turn].join('/'),
    atMs,
    pipeline,
    format,
  }
}

function unmappedInput(format: string, { fingerprint, name, labels, summary, url }: ReportedAlert, atMs: number): Unmapped {
  const day = new Date(atMs).toISOString().slice(0, 10)
  const key = ['unmapped', format, fingerprint, day].join('/')
  return { kind: 'unmapped', key, atMs, pipeline: noPipeline, format, fingerprint, name, labels, summary, url }
}
