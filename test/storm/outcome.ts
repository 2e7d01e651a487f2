/** What came of it all: each incident as the store has it, held against what somebody was told had been taken. */
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import type { Incident } from '../../src/incident/incident.ts'
import type { Entry } from '../../src/signoff/ledger.ts'
import type { Plan } from './plan.ts'
import { isHalfSeen } from './plan.ts'

/** What somebody was told had been taken. */
export interface Promised {
  /** When the first trigger was sent, epoch ms; null = none was taken. */
  triggerMs: number | null
  alerted: boolean
  readonly askers: Set<string>
  approved: boolean
}

export interface Outcome {
  /** Pipelines with one incident, and incidents with one verdict. */
  readonly single: number
  readonly judged: number
  readonly lostTriggers: number
  readonly lostApprovals: number
  /** A sentence each. */
  readonly wrong: readonly string[]
}

export function outcomeOf(plans: readonly Plan[], promises: readonly Promised[], incidents: readonly Incident[]): Outcome {
  const byPipeline = Map.groupBy(incidents, ({ pipeline }) => pipeline)
  const wrong: string[] = []
  const counts = { single: 0, judged: 0, lostTriggers: 0, lostApprovals: 0 }
  for (const { pipeline, index } of plans) {
    const all = byPipeline.get(pipeline) ?? []
    const promised = promises[index]!
    const [incident] = all
    if (all.length === 1) counts.single++
    else wrong.push(`${pipeline} has ${all.length} incidents`)
    const revisions = all.flatMap((one) => one.revisions)
    if (revisions.length === 1 && revisions[0]!.state === 'done' && incident!.verdict !== null) counts.judged++
    else wrong.push(`${pipeline} has the diagnoses ${JSON.stringify(revisions)}`)
    const heard = new Set(all.flatMap(({ triggers }) => triggers.map((one) => (one.kind === 'command' ? one.by.user : 'alert'))))
    const lost = [...promised.askers, ...(promised.alerted ? ['alert'] : [])].filter((who) => !heard.has(who))
    counts.lostTriggers += lost.length
    if (lost.length > 0) wrong.push(`${pipeline} never heard of ${lost.join(', ')}`)
    const approved = incident?.proposals.some(({ decisions }) => decisions.some(({ what }) => what === 'approve')) ?? false
    if (promised.approved && !approved) {
      counts.lostApprovals++
      wrong.push(`${pipeline} was approved, and does not know it`)
    }
  }
  return { ...counts, wrong }
}

/** Proposals that the ledger does not open once, or that one approval too few or too many belongs to; a sentence each. */
export function wronglySigned(incidents: readonly Incident[], entries: readonly Entry[]): readonly string[] {
  const lines = Map.groupBy(entries, ({ incident, what, proposal }) => `${incident} ${what} ${proposal}`)
  const times = (incident: Incident, what: string, hash: string): number => lines.get(`${incident.id} ${what} ${hash}`)?.length ?? 0
  return incidents.flatMap((incident) =>
    incident.proposals.flatMap(({ hash, state }) => {
      const opened = times(incident, 'opened', hash)
      const approved = times(incident, 'approved', hash)
      const right = opened === 1 && approved === (state === 'approved' ? 1 : 0)
      return right ? [] : [`${incident.id}: ${state}, opened ${opened} and approved ${approved} times`]
    }),
  )
}

/** Pipelines of which something could not be seen, and of those the ones whose messages say what refused. */
export function halfSeen(plans: readonly Plan[], incidents: readonly Incident[], { workspace }: Pick<StandIn, 'workspace'>) {
  const dark = new Set(plans.filter(isHalfSeen).map(({ pipeline }) => pipeline))
  const ids = incidents.filter(({ pipeline, verdict }) => dark.has(pipeline) && verdict !== null).map(({ id }) => id)
  const said = new Set<string>()
  for (const { versions } of workspace.messages) {
    const { metadata, blocks } = versions.at(-1)!
    const slot = (metadata?.event_payload as { slot?: string } | undefined)?.slot ?? ''
    if (JSON.stringify(blocks).includes('refused the connection')) said.add(slot.split('/', 1)[0]!)
  }
  return { all: dark.size, said: ids.filter((id) => said.has(id)).length }
}

/** From the first trigger to the home message and to the verdict in it, ms each. */
export function waits(
  plans: readonly Pick<Plan, 'pipeline' | 'index'>[],
  promises: readonly Promised[],
  incidents: readonly Incident[],
  { workspace }: Pick<StandIn, 'workspace'>,
) {
  const versions = new Map<string, { readonly atMs: number; readonly edition: number }[]>()
  for (const message of workspace.messages) {
    for (const { atMs, metadata } of message.versions) {
      const { slot, edition } = (metadata?.event_payload ?? {}) as { slot?: string; edition?: number }
      if (slot?.endsWith('/home')) versions.set(slot, [...(versions.get(slot) ?? []), { atMs, edition: edition ?? 0 }])
    }
  }
  const home: number[] = []
  const verdict: number[] = []
  const indexOf = new Map(plans.map(({ pipeline, index }) => [pipeline, index]))
  for (const incident of incidents) {
    const since = promises[indexOf.get(incident.pipeline) ?? -1]?.triggerMs ?? Number.NaN
    const seen = versions.get(`${incident.id}/home`) ?? []
    const first = (least: number): number => Math.min(...seen.filter(({ edition }) => edition >= least).map(({ atMs }) => atMs)) - since
    home.push(first(0))
    if (incident.verdict !== null) verdict.push(first(incident.verdict.edition))
  }
  const told = (ms: readonly number[]): readonly number[] => ms.filter(Number.isFinite).toSorted((a, b) => a - b)
  return { home: told(home), verdict: told(verdict) }
}
