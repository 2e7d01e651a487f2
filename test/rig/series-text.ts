// The table of a series, one line per drill, and its totals against issue 3 section 6.
import { judgedText, placeText } from './drill-text.ts'
import { faultOf } from './faults/index.ts'
import type { Result } from './series.ts'
import { counts, totalsOf } from './series.ts'

const COLUMNS = [
  ['kind', 14],
  ['seed', 5],
  ['truth', 16],
  ['verdict', 16],
  ['conf', 5],
  ['said place', 18],
  ['judged', 30],
  ['s', 5],
  ['busy', 5],
  ['T before>during', 16],
] as const

const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => cell.slice(0, COLUMNS[i]?.[1]).padEnd(COLUMNS[i]?.[1] ?? 0)).join(' ')

export const seriesHeader = (): string => row(COLUMNS.map(([name]) => name))

export function seriesRow(result: Result): string {
  if ('error' in result) return `${result.kind.padEnd(14)} ${`${result.seed}`.padEnd(5)} not run: ${result.error}`
  const { verdict, observed, machine } = result
  return row([
    result.kind,
    `${result.seed}`,
    result.kind === 'none' ? '-' : placeText(result.place),
    verdict === null ? (result.verdictError ?? '-') : verdict.outcome === 'cause' ? (verdict.cause ?? '?') : verdict.outcome,
    verdict?.confidence?.toFixed(2) ?? '-',
    placeText(verdict?.place ?? null),
    result.void === null ? judgedText(result) : 'void',
    result.verdictSeconds?.toFixed(1) ?? '-',
    machine.medianBusy.toFixed(2),
    `${observed.medianBatchBefore}>${observed.longestBatchDuring}`,
  ])
}

/** Totals; upstream_late has a row of its own in the issue, and so have kinds whose cause the product does not have. */
export function seriesTotals(results: readonly Result[]): string {
  const unnamed = results.filter((result) => faultOf(result.kind).notYet === true)
  const late = results.filter((result) => result.kind === 'upstream_late')
  const totals = totalsOf(results.filter((result) => !unnamed.includes(result) && !late.includes(result)))
  const lateTotals = totalsOf(late)
  const unnamedTotals = totalsOf(unnamed)
  const voids = results.filter((result) => !counts(result)).length
  const notKnowable = totalsOf(results).notKnowable
  return [
    `counted ${totals.counted}; first-ranked right ${totals.firstRight} (of 30: at least 28)`,
    `with a fault ${totals.faults}: accepted ${totals.accepted} (of 25: at least 20), place right ${totals.placeRight} (at least 21)`,
    `wrong verdicts ${totals.wrong}, of them ranked 0.9 or more ${totals.surelyWrong} (0)`,
    `upstream_late right ${lateTotals.right} of ${lateTotals.counted}`,
    ...(unnamed.length === 0 ? [] : [`no cause of that name yet: ${unnamedTotals.counted}, of them wrong ${unnamedTotals.wrong} (0)`]),
    ...(notKnowable === 0 ? [] : [`inconclusive and not knowable, counted nowhere above: ${notKnowable}`]),
    `diagnose, median ${totals.medianSeconds.toFixed(1)} s (at most 5); void or not run ${voids}; without a verdict ${totals.unasked}`,
  ].join('\n')
}
