/** What could not be seen of a Delta table, in words, each with what would mend it. */
import type { Gap } from '../incident/evidence.ts'
import type { SeenCommit, Writers } from './delta-commits.ts'
import type { Failure } from './folder.ts'

export const DELTA = 'delta'

/** None of these changes what a commit file says about files, rows and times. */
const KNOWN_FEATURES: ReadonlySet<string> = new Set([
  'columnMapping',
  'deletionVectors',
  'timestampNtz',
  'v2Checkpoint',
  'vacuumProtocolCheck',
  'typeWidening',
  'typeWidening-preview',
  'variantType',
  'variantType-preview',
  'variantShredding',
  'variantShredding-preview',
  'inCommitTimestamp',
  'checkpointProtection',
])
/** The newest commits may be in the catalog only. */
const CATALOG_FEATURES: ReadonlySet<string> = new Set(['catalogManaged', 'catalogManaged-preview', 'catalogOwned', 'catalogOwned-preview'])

export function absentGap(): Gap {
  return gap('no table is configured: its freshness, and which batch made which commit, are not seen', 'table: <folder of the Delta table>')
}

export function noTable(address: string, failure: Failure): Gap {
  if (failure.kind === 'gone') return gap(`there is no Delta table at ${address}: no _delta_log was found`, mendOf('gone', address))
  return gap(`the log of the table ${address} could not be read: ${failure.why}`, mendOf(failure.kind, address))
}

export function featureGaps(features: readonly string[], seen: readonly SeenCommit[]): Gap[] {
  const gaps: Gap[] = []
  if (features.some((feature) => CATALOG_FEATURES.has(feature))) {
    gaps.push({
      ...gap(
        'the table is managed by a catalog: its newest commits may be known to the catalog only, so the freshness seen here is a lower bound',
      ),
      signal: 'table.freshness_s',
    })
  }
  const unknown = features.filter((feature) => !KNOWN_FEATURES.has(feature) && !CATALOG_FEATURES.has(feature))
  if (unknown.length > 0)
    gaps.push(
      gap(`the table uses ${listed(unknown, 'reader feature')} that this version does not know; its commits were read all the same`),
    )
  const actions = [...new Set(seen.flatMap((commit) => commit.body.unknownActions))].sort()
  if (actions.length > 0)
    gaps.push(gap(`the log holds ${listed(actions, 'action')} that this version does not know; they were passed over`))
  const broken = seen.filter((commit) => commit.body.brokenLines > 0)
  if (broken.length > 0)
    gaps.push(
      gap(
        `version ${broken
          .map((commit) => commit.version)
          .slice(0, 3)
          .join(', ')} of the log holds lines that are not whole; they were passed over`,
      ),
    )
  return gaps
}

/** Why commits carry no batch number, where that is so. */
export function writerGaps(writer: Writers, query: string | null, commits: number): Gap[] {
  const joined = (reason: string, mend?: string): Gap[] => [{ ...gap(reason, mend), signal: 'commit_version' }]
  if (commits === 0) return []
  if (writer.queries.length === 0) {
    return writer.unmarkedData === 0
      ? []
      : joined(
          'the commits of the table carry no batch number (written from foreachBatch or by a batch job), so they are not joined to batches',
        )
  }
  if (query !== null && !writer.queries.includes(query)) {
    return joined('no commit read from the table was made by the query of the checkpoint', 'table: <the table that this query writes>')
  }
  if (query === null && writer.taken === null) {
    return joined(
      `${writer.queries.length} streaming queries write into the table and none is known to be meant`,
      'checkpoint: <the checkpointLocation of the query>',
    )
  }
  return []
}

export function mendOf(kind: Failure['kind'], address: string): string {
  if (kind === 'forbidden') return `give the user that runs headwater read access to ${address}/_delta_log`
  if (kind === 'stopped') return 'look again; if that repeats, the file system is slow or hangs'
  if (kind === 'lost') return 'look again'
  return 'table: <folder of the Delta table, as this machine sees it; it holds _delta_log/>'
}

export function gap(reason: string, mend?: string): Gap {
  return { source: DELTA, signal: null, reason, ...(mend === undefined ? {} : { mend }) }
}

function listed(names: readonly string[], noun: string): string {
  return names.length === 1 ? `the ${noun} ${names[0]}` : `the ${noun}s ${names.join(', ')}`
}
