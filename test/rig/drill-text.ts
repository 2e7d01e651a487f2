// Truth and verdict side by side, and the table of a series.
import { answerOf } from './answer.ts'
import type { TruthPlace } from './faults/fault.ts'
import { LONGEST_GROWING_SECONDS } from './held.ts'
import type { DrillRecord } from './truth.ts'
import type { Verdict } from './verdict.ts'

interface SaidPlace {
  readonly partitions: readonly number[]
  readonly executor: string | null
  readonly host: string | null
  readonly phase: string | null
}

export function placeText(place: SaidPlace | TruthPlace | null): string {
  if (place === null) return '-'
  const parts = [
    place.partitions.length > 0 ? `partition ${place.partitions.join(',')}` : '',
    place.executor === null ? '' : `executor ${place.executor}`,
    place.host === null ? '' : `host ${place.host}`,
    place.phase === null ? '' : place.phase,
  ].filter((part) => part !== '')
  return parts.join(' ') || 'whole topic'
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19)

function verdictLines(verdict: Verdict | null, error: string | null): Record<string, string> {
  if (verdict === null) return { said: error ?? 'not asked' }
  const ranking = verdict.ranking.slice(0, 3).map(([cause, p]) => `${cause} ${p.toFixed(2)}`)
  return {
    said: verdict.outcome === 'cause' ? (verdict.cause ?? '?') : `${verdict.outcome}${verdict.reason ? ` (${verdict.reason})` : ''}`,
    place: placeText(verdict.place),
    confidence: verdict.confidence === null ? '-' : verdict.confidence.toFixed(2),
    ranking: ranking.join(', '),
  }
}

/** For a fault that was held for long: whether its beginning was still there to be read. */
function keptLine({ times, observed: { keptFromMs } }: DrillRecord): [string, string][] {
  if (times.askedMs - times.faultMs <= LONGEST_GROWING_SECONDS * 1000 || keptFromMs === null) return []
  const begins = keptFromMs > times.faultMs ? 'after' : 'before'
  return [['kept', `checkpoint from ${clock(keptFromMs)} UTC, ${begins} the fault began`]]
}

/** Two columns: what was done, what was said. */
export function drillText(record: DrillRecord): string {
  const { times, machine, observed } = record
  const truth: [string, string][] = [
    ['truth', record.kind],
    ['place', record.kind === 'none' ? '-' : placeText(record.place)],
    ['from, to', `${clock(times.faultMs)} ${clock(times.endMs)} UTC`],
    ['asked after', `${((times.askedMs - times.faultMs) / 1000).toFixed(0)} s`],
    ['knowable', `${record.knowable.is ? 'yes' : 'no'}: ${record.knowable.why}`],
    ['drawn', JSON.stringify(record.parameters)],
    [
      'seen by rig',
      `batch ${observed.medianBatchBefore} -> ${observed.longestBatchDuring} s, lag ${observed.lagBefore} -> ${observed.lagAtAsk}`,
    ],
    ...keptLine(record),
    ['machine', `${Math.round(machine.medianBusy * 100)} % busy, rig ${machine.meanRigCores} cores (peak ${machine.peakRigCores})`],
  ]
  const said = Object.entries(verdictLines(record.verdict, record.verdictError))
  if (record.verdictSeconds !== null) said.push(['took', `${record.verdictSeconds.toFixed(1)} s`])
  if (record.judgement !== null) said.push(['judged', judgedText(record)])
  if (record.void !== null) said.push(['void', record.void])
  return [
    `drill ${record.kind}, seed ${record.seed}, session seed ${record.session.seed}`,
    ...truth.map(([name, text]) => `  ${name.padEnd(12)} ${text}`),
    '  verdict',
    ...said.map(([name, text]) => `  ${name.padEnd(12)} ${text}`),
  ].join('\n')
}

export function judgedText(record: DrillRecord): string {
  const { judgement } = record
  if (judgement === null) return '-'
  const place = judgement.placeRight === null ? '' : judgement.placeRight ? ', place right' : ', place wrong'
  if (judgement.wrong) return `WRONG${place}`
  if (judgement.right) return `right${place}`
  const answer = answerOf({ ...record, void: null })
  const why = answer === 'not knowable' || answer === 'beyond reach' ? `${answer}, ` : ''
  return `inconclusive, ${why}ranked ${judgement.firstRight ? 'right' : 'wrong'}${place}`
}
