/** Around a pipeline: which alerts mean it, where it is told, who may ask, who decides. As its owners configured it. */
import type { Matcher } from './matcher.ts'
import { matchesAll } from './matcher.ts'

export interface Audience {
  readonly pipeline: string
  /** Slack's id of the channel in which its alerts are told; null = none, so alerts cannot reach it. */
  readonly channel: string | null
  /** Channels in which people may ask about it; the one of its alerts is among them. Empty = in none. */
  readonly channels: readonly string[]
  readonly owners: { readonly users: readonly string[]; readonly groups: readonly string[] }
  /** Different owners who have to approve a change. */
  readonly approvals: number
  /** false = the approval of whoever asked for the diagnosis does not count. */
  readonly requesterCounts: boolean
  /** An alert means this pipeline when all matchers of one entry match its labels. */
  readonly alerts: readonly (readonly Matcher[])[]
}

/** Names of the pipelines that an alert with these labels means, in the order of the configuration. */
export type Router = (labels: Readonly<Record<string, string>>) => readonly string[]

export function routerOf(audiences: readonly Audience[]): Router {
  const routes = audiences.map(({ pipeline, alerts }) => ({ pipeline, means: alerts.map(matchesAll) }))
  return (labels) => routes.filter(({ means }) => means.some((all) => all(labels))).map(({ pipeline }) => pipeline)
}
