/**
 * What Structured Streaming writes into the description of its jobs, stages and SQL executions:
 *
 *     orders                                        query name, empty if it has none
 *     id = 280f01cd-…                               query id: stays over restarts
 *     runId = 1ff47fce-…                            changes at every restart
 *     batch = 17
 *
 * Delta's own jobs inside the batch keep the text but wrap it: `Delta: orders … batch = 17: Compute snapshot for version: 16`.
 */
export interface BatchLabel {
  /** Null = the query has no name. */
  readonly query: string | null
  readonly queryId: string
  readonly run: string
  /** Null = before the first batch ("batch = init"). */
  readonly batch: number | null
  /** Text after the batch number, e.g. "Compute snapshot for version: 16"; null = the batch's own work. */
  readonly about: string | null
}

const BATCH = /^batch = (\d+|init)(?=$|:)(?:: ?(.*))?$/m
const QUERY_ID = /^id = (\S+)\s*$/m
const RUN_ID = /^runId = (\S+)\s*$/m

/** Null where the description is not that of a micro-batch (other jobs of the application, or user code overwrote it). */
export function parseDescription(description: string | undefined): BatchLabel | null {
  if (description === undefined) return null
  const batch = BATCH.exec(description)
  const id = QUERY_ID.exec(description)?.[1]
  const run = RUN_ID.exec(description)?.[1]
  if (batch === null || id === undefined || run === undefined) return null
  const about = batch[2]?.trim() ?? null
  const head = description.slice(0, description.search(QUERY_ID)).trim()
  // Delta puts "Delta: " before whatever was there; a query really called that has no text after its batch number.
  const name = about === null ? head : head.replace(/^Delta:\s*/, '')
  const number = batch[1] === 'init' ? null : Number(batch[1])
  if (number !== null && !Number.isSafeInteger(number)) return null
  return { query: name === '' ? null : name, queryId: id, run, batch: number, about }
}

/** DStreams label their jobs with a link; such an application has no micro-batches of this kind. */
export function isDStreamsDescription(description: string | undefined): boolean {
  return description !== undefined && /Streaming job from\s*<a /.test(description)
}

/** "…-execution-root-id-70" → 70. Spark 4.x; on 3.5 the list is empty. */
export function rootExecutionOf(jobTags: readonly string[]): number | null {
  for (const tag of jobTags) {
    const found = /-execution-root-id-(\d+)$/.exec(tag)
    if (found !== null) return Number(found[1])
  }
  return null
}
