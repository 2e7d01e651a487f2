/** Which streaming query is meant: the one that is named, or the only one there is. */
import type { BatchLabel } from './spark-descriptions.ts'

export interface StreamingQuery {
  readonly id: string
  readonly name: string | null
  /** Run ids in the order of their first batch: more than one = restarted inside this application. */
  readonly runs: readonly { readonly run: string; readonly firstMs: number }[]
}

/** Queries seen in the descriptions of jobs (or SQL executions), by query id. */
export function queriesOf(work: readonly { readonly label: BatchLabel | null; readonly startMs: number }[]): StreamingQuery[] {
  const byId = new Map<string, { name: string | null; runs: Map<string, number> }>()
  for (const { label, startMs } of work) {
    if (label === null) continue
    const query = byId.get(label.queryId) ?? { name: null, runs: new Map<string, number>() }
    query.name ??= label.query
    query.runs.set(label.run, Math.min(startMs, query.runs.get(label.run) ?? startMs))
    byId.set(label.queryId, query)
  }
  return [...byId].map(([id, query]) => ({
    id,
    name: query.name,
    runs: [...query.runs].map(([run, firstMs]) => ({ run, firstMs })).toSorted((a, b) => a.firstMs - b.firstMs),
  }))
}

export type Choice = { readonly found: StreamingQuery } | { readonly found: null; readonly reason: string; readonly mend?: string }

/** `wanted` = pipeline.query: a name, or the id of a query without one. */
export function chooseQuery(queries: readonly StreamingQuery[], wanted: string | null): Choice {
  const shown = queries
    .map((query) => query.name ?? query.id)
    .toSorted()
    .join(', ')
  if (wanted !== null) {
    const named = queries.filter((query) => query.name === wanted || query.id === wanted)
    const [only, second] = named
    if (only !== undefined && second === undefined) return { found: only }
    if (second !== undefined) {
      return {
        found: null,
        reason: `${named.length} streaming queries of this application are named "${wanted}"`,
        mend: `query: ${only?.id ?? wanted}`,
      }
    }
    return queries.length === 0
      ? { found: null, reason: `no batch of a streaming query is among the jobs Spark still lists, so "${wanted}" was not found` }
      : {
          found: null,
          reason: `this application runs no streaming query named "${wanted}"; it runs ${shown}`,
          mend: `query: ${queries[0]?.name ?? queries[0]?.id ?? ''}`,
        }
  }
  const [only, second] = queries
  if (only === undefined) return { found: null, reason: 'no batch of a streaming query is among the jobs Spark still lists' }
  if (second === undefined) return { found: only }
  return {
    found: null,
    reason: `this application runs ${queries.length} streaming queries and none is named in the configuration: ${shown}`,
    mend: `query: ${only.name ?? only.id}`,
  }
}
