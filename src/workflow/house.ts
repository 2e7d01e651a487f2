/** What the configuration says about each pipeline, as an incident of it is dealt with. */
import { createHash } from 'node:crypto'
import { HeadwaterError } from '../errors.ts'
import type { Audience } from '../incident/audience.ts'
import type { Input } from '../incident/input.ts'
import { noPipeline } from '../incident/unmapped.ts'
import type { House } from './attend.ts'

export type Houses = (pipeline: string) => Omit<House, 'who' | 'vouched'>

/**
 * @param team the workspace whose people decide
 * @param unmappedChannel where alerts of no pipeline are told; null = nowhere
 * @returns throws HeadwaterError config_mistaken for a pipeline that is configured no longer
 */
export function housesOf(audiences: readonly Audience[], team: string, unmappedChannel: string | null): Houses {
  const nobody = { owners: { users: [], groups: [] }, approvals: 1, requesterCounts: true }
  const byName = new Map(audiences.map((one) => [one.pipeline, one]))
  return (pipeline) => {
    if (pipeline === noPipeline) return { routing: { alertChannel: unmappedChannel }, signoff: { team, ...nobody }, idOf: incidentId }
    const audience = byName.get(pipeline)
    if (audience === undefined) throw new HeadwaterError('config_mistaken', `the configuration has no pipeline ${pipeline}`)
    const { channel, owners, approvals, requesterCounts } = audience
    return { routing: { alertChannel: channel }, signoff: { team, owners, approvals, requesterCounts }, idOf: incidentId }
  }
}

/** Of the incident that this input opens, e.g. "i-20261130-orders-3f9a1c02": the same input, the same id. */
function incidentId({ key, atMs, pipeline }: Input): string {
  const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')
  const name = pipeline
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
  const digest = createHash('sha256').update(`${pipeline}\n${key}`).digest('hex').slice(0, 8)
  return ['i', day, name, digest].filter((part) => part !== '').join('-')
}
