/** One "diagnose" job: look at the pipeline, freeze what was seen, judge it, propose, and put the verdict into its incident. */

import { HeadwaterError, messageOf } from '../errors.ts'
import { conclude, failed } from '../incident/conclude.ts'
import type { Incident, Revision, VerdictNote } from '../incident/incident.ts'
import type { Remedy } from '../incident/proposal.ts'
import { triedIn } from '../incident/tried.ts'
import { declaredIn } from '../proposal/declared.ts'
import type { Look } from '../proposal/grounds.ts'
import { propose } from '../proposal/propose.ts'
import type { ChartSize } from '../report/chart/layout.ts'
import type { Judged } from '../report/messages/incident/home.ts'
import { homeChart } from '../report/messages/incident/home.ts'
import { detailsChart } from '../report/messages/incident/thread.ts'
import type { AttendPorts } from './attend-pipeline.ts'
import { settle } from './attend-pipeline.ts'

/** What a look brought: the judged evidence and its frozen bytes. */
export interface Examined extends Look {
  readonly bundle: Uint8Array
}

export interface DiagnosePorts extends Pick<AttendPorts, 'store' | 'teller' | 'ledgerKey' | 'nowMs'> {
  /** Collects and judges; of what could not be seen it brings the reasons. @throws HeadwaterError interrupted */
  readonly examine: (order: {
    pipeline: string
    sinceMs: number | null
    /** Takes time for what only a heartbeat shows; absent = no. */
    thorough?: true | undefined
    signal: AbortSignal
  }) => Promise<Examined>
  /** PNG of the story; null = it could not be drawn, which must not cost the verdict. */
  readonly draw: (judged: Judged, size: ChartSize) => Promise<Uint8Array | null>
}

const mostTries = 20

/**
 * Safe to repeat: a revision that is done or overtaken is not looked at again.
 * @throws HeadwaterError what may work later: the job is to be run again; what will not, after the revision was marked as failed
 */
export async function diagnoseIncident(id: string, revision: number, ports: DiagnosePorts, signal: AbortSignal): Promise<void> {
  const before = await ports.store.incident(id)
  const order = before === null ? null : awaited(before.value, revision)
  if (before === null || order === null) return
  try {
    await concluded(before.value, order, ports, signal)
  } catch (error) {
    // What is cut off at the end of a process fails of that, and is done by another one.
    if (signal.aborted || (error instanceof HeadwaterError && error.retryable)) throw error
    await move(id, ports, (incident) => failed(incident, revision))
    throw error
  }
}

/** @returns null = nobody waits for it. One that was given up for lost is made all the same, until another one is asked for. */
function awaited({ state, revisions }: Incident, revision: number): Revision | null {
  const order = revisions.find((one) => one.number === revision)
  if (order === undefined || order.state === 'done' || state === 'closed') return null
  return order.state === 'queued' || order === revisions.at(-1) ? order : null
}

async function concluded(before: Incident, order: Revision, ports: DiagnosePorts, signal: AbortSignal): Promise<void> {
  const { id } = before
  const { number: revision } = order
  const outcome = await examined(before, order, ports, signal)
  let broke: unknown = null
  await move(id, ports, (incident, edition, nowMs) => {
    if (outcome === null) return failed(incident, revision)
    const { attribution, evidence } = outcome.look
    const note: Omit<VerdictNote, 'sameSince'> = {
      revision,
      atMs: nowMs,
      bundle: outcome.bundle,
      chart: outcome.chart,
      wholeChart: outcome.wholeChart,
      edition,
      outcome: attribution.outcome,
      cause: attribution.cause,
      place: attribution.place,
      headline: attribution.headline,
    }
    const { remedy, error } = proposed(() => propose(outcome.look, declaredIn(evidence), triedIn(incident)))
    broke = error
    return conclude(incident, note, remedy, nowMs)
  })
  if (broke !== null) throw new HeadwaterError('internal', `the proposal for ${id} broke: ${messageOf(broke)}`, { cause: broke })
}

/** A proposal that cannot be worked out, by an error of our own, must not cost the verdict: that is written, and then the error thrown. */
function proposed(work: () => Remedy): { readonly remedy: Remedy; readonly error: unknown } {
  try {
    return { remedy: work(), error: null }
  } catch (error) {
    const reason = 'No change could be worked out, by an error of Headwater itself; its log has it'
    return { remedy: { kind: 'refusal', reason, needs: null }, error }
  }
}

interface Kept {
  readonly look: Look
  readonly bundle: string
  readonly chart: string | null
  readonly wholeChart: string | null
}

/** @returns null = it failed for good; what may work later is thrown, so that the job is tried again */
async function examined(
  incident: Incident,
  { sinceMs, thorough }: Revision,
  ports: DiagnosePorts,
  signal: AbortSignal,
): Promise<Kept | null> {
  try {
    const { bundle, ...look } = await ports.examine({ pipeline: incident.pipeline, sinceMs, thorough, signal })
    const drawn = async (size: ChartSize): Promise<string | null> => {
      const png = await ports.draw(look, size)
      return png === null ? null : ports.store.keep(png)
    }
    const [chart, wholeChart] = [await drawn(homeChart), await drawn(detailsChart)]
    return { look, bundle: await ports.store.keep(bundle), chart, wholeChart }
  } catch (error) {
    if (error instanceof HeadwaterError && error.retryable) throw error
    // What it was goes to the log by whoever runs the job; the incident says that it failed.
    if (error instanceof HeadwaterError) return null
    throw new HeadwaterError('internal', `the diagnosis of ${incident.pipeline} broke: ${messageOf(error)}`, { cause: error })
  }
}

/** Moves an incident against others who move it: read, decide, commit, again where somebody else was first. */
export async function move(
  id: string,
  ports: Pick<AttendPorts, 'store' | 'teller' | 'ledgerKey' | 'nowMs'>,
  decide: (incident: Incident, edition: number, nowMs: number) => Incident,
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    const [read, head] = await Promise.all([ports.store.incident(id), ports.store.head()])
    if (read === null) return
    const nowMs = ports.nowMs()
    const after = decide(read.value, read.version + 1, nowMs)
    if (after === read.value) return
    if (await settle({ before: read.value, version: read.version, after, head, drafts: [], answers: [], inputs: [] }, nowMs, ports)) return
  }
  throw new HeadwaterError('contended', `incident ${id} is being moved by others all the time`)
}
