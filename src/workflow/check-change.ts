/**
 * One "look" job: a change was applied, and the signals by which it was proposed are read again. The frozen evidence of before is judged
 * anew by the same engine as that of now, both are held against the frozen expectation, and what it says is written in one step.
 */
import { HeadwaterError, messageOf } from '../errors.ts'
import type { RecoveryCheck, RecoveryOutcome } from '../incident/incident.ts'
import type { Awaited } from '../incident/note-look.ts'
import { awaited, noteLook } from '../incident/note-look.ts'
import { isIntact } from '../incident/proposal.ts'
import type { Look } from '../proposal/grounds.ts'
import { capital } from '../proposal/referrals.ts'
import { verify } from '../recovery/verify.ts'
import { checkAltText } from '../report/check-chart/alt-text.ts'
import type { CheckStory } from '../report/check-chart.ts'
import { clean } from '../report/clean.ts'
import type { DiagnosePorts, Examined } from './diagnose-incident.ts'
import { move } from './diagnose-incident.ts'

export interface CheckPorts extends Pick<DiagnosePorts, 'store' | 'teller' | 'ledgerKey' | 'nowMs' | 'examine'> {
  /** Judges the bytes of a kept bundle. @throws HeadwaterError bundle_mistaken, bundle_too_large */
  readonly judge: (bundle: Uint8Array) => Look
  /** PNG of before and after; null = it could not be drawn, which must not cost the outcome. */
  readonly drawCheck: (story: CheckStory) => Promise<Uint8Array | null>
}

/** Evidence from this long before the application is wanted, ms: the lag at that moment has to be among it. */
const beforeMs = 600_000
/** As far back as a look without a begin goes, ms. */
const usualMs = 3_600_000
/** Gaps that are told one by one. */
const mostGaps = 6

/** What a look found, before it is told. */
interface Found {
  readonly outcome: RecoveryOutcome | null
  readonly says: string
  readonly reasons: readonly string[]
  readonly bundle: string | null
  readonly chart: RecoveryCheck['chart']
}

/**
 * Safe to repeat: a look that was made, or that nobody waits for any more (judged, closed, taken back, applied anew), is not made.
 * @throws HeadwaterError what may work later: the job is to be run again; what will not, after it was noted as a look that saw nothing
 */
export async function checkChange(id: string, plannedMs: number, ports: CheckPorts, signal: AbortSignal): Promise<void> {
  const read = await ports.store.incident(id)
  const waiting = read === null ? null : awaited(read.value, plannedMs)
  if (read === null || waiting === null) return
  const last = plannedMs === waiting.check.planned.at(-1)
  const { found, broke } = await lookedAt(read.value.pipeline, waiting, last, ports, signal)
  await move(id, ports, (incident, _, nowMs) => {
    const { outcome, says, reasons, bundle, chart } = found
    const look = { plannedMs, atMs: nowMs, bundle, says }
    return noteLook(incident, { appliedAtMs: waiting.check.appliedAtMs, look, outcome, reasons, chart }, nowMs)
  })
  if (broke !== null) throw new HeadwaterError('internal', `a look after the change of ${id} broke: ${messageOf(broke)}`, { cause: broke })
}

interface LookedAt {
  readonly found: Found
  /** An error that trying again would not mend, for whoever runs Headwater; null = there was none. */
  readonly broke: unknown
}

async function lookedAt(pipeline: string, waiting: Awaited, last: boolean, ports: CheckPorts, signal: AbortSignal): Promise<LookedAt> {
  if (!isIntact(waiting.card)) return { found: cannotTell('what is stored as the proposal is not what was signed'), broke: null }
  const before = await kept(waiting.card.bundle, ports)
  // No later look could tell either.
  if (typeof before === 'string') return { found: cannotTell(`the evidence of before the change ${before}`), broke: null }
  try {
    const now = await examine(pipeline, waiting.check.appliedAtMs, ports, signal)
    return { found: await compared(waiting, before, now, last, ports), broke: null }
  } catch (error) {
    const known = error instanceof HeadwaterError
    if (known && error.retryable) throw error
    const says = `nothing could be seen: ${messageOf(error)}`
    return { found: last ? cannotTell(says) : { ...cannotTell(says), outcome: null }, broke: known ? null : error }
  }
}

function cannotTell(says: string): Found {
  return { outcome: 'cannot_tell', says: capital(says), reasons: [], bundle: null, chart: null }
}

function examine(pipeline: string, appliedAtMs: number, ports: CheckPorts, signal: AbortSignal): Promise<Examined> {
  const from = appliedAtMs - beforeMs
  return ports.examine({ pipeline, sinceMs: from < ports.nowMs() - usualMs ? from : null, signal })
}

async function compared(waiting: Awaited, before: Look, examined: Examined, last: boolean, ports: CheckPorts): Promise<Found> {
  const { bundle: bytes, ...now } = examined
  const { check, card } = waiting
  const verification = verify({ proposal: card.proposal, appliedAtMs: check.appliedAtMs, before, now, last })
  const { outcome, says, reasons } = verification
  const bundle = await ports.store.keep(bytes)
  if (outcome === null) return { outcome, says, reasons: [], bundle, chart: null }
  const between = await Promise.all(check.looks.flatMap((look) => (look.bundle === null ? [] : [kept(look.bundle, ports)])))
  const looks: CheckStory['looks'] = [before, ...between.filter((one) => typeof one !== 'string'), now]
  const story: CheckStory = { proposal: card.proposal, appliedAtMs: check.appliedAtMs, looks, outcome, measured: verification.measured }
  const png = await ports.drawCheck(story)
  const chart = png === null ? null : { blob: await ports.store.keep(png), alt: checkAltText(story) }
  return { outcome, says, reasons: outcome === 'cannot_tell' ? [...reasons, ...gapLines(now)] : reasons, bundle, chart }
}

/** @returns the look, judged anew; or why there is none, as the end of a sentence */
async function kept(key: string, { store, judge }: CheckPorts): Promise<Look | string> {
  const bytes = await store.bytes(key)
  if (bytes === null) return 'is kept no longer'
  try {
    return judge(bytes)
  } catch (error) {
    if (error instanceof HeadwaterError && !error.retryable) return `cannot be read: ${error.message}`
    throw error
  }
}

/** Whoever reads that it cannot be told wants to know what was not seen. */
function gapLines({ attribution: { gaps } }: Look): string[] {
  const lines = [...new Set(gaps.map(({ source, reason }) => `not seen: ${clean(source)}, ${clean(reason)}`))]
  return lines.length <= mostGaps ? lines : [...lines.slice(0, mostGaps), `and ${lines.length - mostGaps} more that were not seen`]
}
