/**
 * The log of a Delta table as a source: when data arrived in it, how much, and by which batch. Freshness counts data commits only
 * (OPTIMIZE rewrites, it brings nothing new); a commit that carries the query's id is that batch's, exactly.
 */
import type { Commit, EvidenceEvent, Gap } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Question, Source } from '../workflow/ports.ts'
import { parseQueryId } from './checkpoint-files.ts'
import { parseDeltaCommit } from './delta-actions.ts'
import type { SeenCommit } from './delta-commits.ts'
import { commitsOf, tableChanges } from './delta-commits.ts'
import { absentGap, DELTA, featureGaps, gap, mendOf, noTable, writerGaps } from './delta-gaps.ts'
import { newestVersion, readCommits, readerFeaturesAt, TOTAL_CAP } from './delta-log.ts'
import type { Folder } from './folder.ts'
import { openFolder, unsupported } from './folder.ts'

const NEWEST = 101
const MOST = 1000
const AGAIN = 3
const SKEW_S = 2

export const delta: Source = {
  name: DELTA,
  applies: (pipeline) => pipeline.table !== null,
  absent: (pipeline) => (pipeline.table === null && pipeline.spark !== null ? absentGap() : null),
  collect: (question) => look(question, NEWEST),
  lookAgain: (question) => look(question, AGAIN),
}

async function look(question: Question, newest: number): Promise<Findings> {
  const address = question.pipeline.table
  if (address === null) return findings(question, {})
  const folder = openFolder(address)
  if (folder === null)
    return findings(question, { gaps: [gap(unsupported(address) ?? 'its address cannot be read', 'table: /mnt/<mount of the bucket>/…')] })
  try {
    return await readTable(folder, question, newest)
  } catch (cause) {
    // The last net: an odd file must not cost the findings of the other sources.
    return findings(
      question,
      { gaps: [gap(`the log of the table could not be read (${cause instanceof Error ? cause.message : 'unknown reason'})`)] },
      folder,
    )
  }
}

async function readTable(folder: Folder, question: Question, newest: number): Promise<Findings> {
  const { signal } = question
  const version = await newestVersion(folder, signal)
  if (!version.ok) return findings(question, { gaps: [noTable(folder.address, version.failure)] }, folder)
  if (version.value === null)
    return findings(
      question,
      { gaps: [gap(`${folder.address} holds a _delta_log without any commit`, mendOf('gone', folder.address))] },
      folder,
    )
  const [read, features, query] = await Promise.all([
    readBack(folder, version.value, question, newest),
    readerFeaturesAt(folder, version.value, signal),
    queryOf(question),
  ])
  const first = newest === NEWEST
  const { commits, column, copied, writer } = commitsOf(read.seen, query)
  question.progress(`Delta: ${commits.length} commits, newest version ${version.value}`)
  const told = read.seen.findLast((commit) => commit.body.readerFeatures !== null)?.body.readerFeatures ?? null
  const gaps: readonly Gap[] = first
    ? [
        ...read.gaps,
        ...featureGaps(features ?? told ?? [], read.seen),
        ...writerGaps(writer, query, commits.length),
        ...(copied
          ? [gap('the files of the log were written within moments, so it was copied: commits stand at the time that their writer gave')]
          : []),
      ]
    : read.gaps
  return findings(
    question,
    { commits, gaps, events: first ? [...tableChanges(read.seen, commits), ...columnNote(column, commits)] : [] },
    folder,
  )
}

/** Newest first, in portions, to the begin of the question or the caps. */
async function readBack(
  folder: Folder,
  newest: number,
  question: Question,
  portion: number,
): Promise<{ seen: readonly SeenCommit[]; gaps: readonly Gap[] }> {
  let seen: SeenCommit[] = []
  const gaps: Gap[] = []
  let next = newest
  let bytes = 0
  for (let size = portion; next >= 0; size = 100) {
    const from = Math.max(0, next - size + 1)
    const { files, failures, stopped } = await readCommits(folder, from, next, question.signal)
    next = from - 1
    bytes += files.reduce((sum, file) => sum + file.text.length, 0)
    seen = [
      ...files.map((file) => ({ version: file.version, modifiedMs: file.modifiedMs, body: parseDeltaCommit(file.text, file.cut) })),
      ...seen,
    ]
    const [failure] = failures
    if (failure !== undefined)
      gaps.push(
        gap(
          `${failures.length === 1 ? 'a commit' : `${failures.length} commits`} of the log could not be read: ${failure.why}`,
          mendOf(failure.kind, folder.address),
        ),
      )
    const oldest = seen[0]
    const reached = oldest !== undefined && (oldest.body.inCommitMs ?? oldest.body.timestampMs ?? oldest.modifiedMs) < question.fromMs
    const enough = files.length === 0 || reached || portion === AGAIN
    if (stopped && portion === AGAIN) {
      gaps.push(gap('the time for the second look ran out before the newest commits were read'))
      break
    }
    if (stopped || (!enough && next >= 0 && (seen.length >= MOST || bytes >= TOTAL_CAP))) {
      const to = oldest === undefined ? question.toMs : (oldest.body.timestampMs ?? oldest.modifiedMs)
      gaps.push({
        ...gap(
          stopped
            ? 'the time for it ran out before all commits were read'
            : `the newest ${seen.length} commits were read; older ones are not seen`,
        ),
        from: question.fromMs / 1000,
        to: to / 1000,
      })
      break
    }
    if (enough) break
  }
  return { seen, gaps }
}

/** The query's id, from its checkpoint where that is configured; null = not known. */
async function queryOf(question: Question): Promise<string | null> {
  const address = question.pipeline.checkpoint
  const folder = address === null ? null : openFolder(address)
  if (folder === null) return null
  const metadata = await folder.read('metadata', 65_536, question.signal)
  return metadata.ok ? parseQueryId(metadata.value.text) : null
}

function columnNote(column: string | null, commits: readonly Commit[]): EvidenceEvent[] {
  const newest = commits.at(-1)
  return column === null || newest === undefined
    ? []
    : [{ at: newest.at, kind: 'note', text: `event times of the table are those of its column ${column}`, source: DELTA }]
}

function findings(
  question: Question,
  found: { commits?: readonly Commit[]; gaps?: readonly Gap[]; events?: readonly EvidenceEvent[] },
  folder?: Folder,
): Findings {
  const name = question.pipeline.table?.replace(/\/+$/, '').split('/').at(-1)
  return emptyFindings(DELTA, {
    ...found,
    clocks: [{ source: DELTA, skew_bound_s: SKEW_S }],
    sink: name === undefined || name === '' ? {} : { kind: 'delta', table: name },
    traffic: folder === undefined ? [] : [folder.traffic()],
  })
}
