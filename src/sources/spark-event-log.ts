/**
 * Spark's event log as a source: the progress of every batch as Spark itself wrote it, also of an application that has ended. It is off
 * by default, and most of its bytes are plans, so only the newest part is read and only lines of streaming queries become text.
 */
import type { Gap } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import type { Question, Source } from '../workflow/ports.ts'
import { LineSieve, unzstd } from './event-log-bytes.ts'
import type { StreamingLine } from './event-log-progress.ts'
import { parseStreamingLine, STREAMING_EVENT } from './event-log-progress.ts'
import type { Folder } from './folder.ts'
import { openFolder, unsupported } from './folder.ts'

const EVENT_LOG = 'event-log'
/** Of one look. A quiet job with a trigger of 4 s writes 9 MB a minute in plain, a twentieth of that in zstd. */
const PLAIN_CAP = 64_000_000
const ZSTD_CAP = 8_000_000
const NEEDLE_WITHIN = 130

export const eventLog: Source = {
  name: EVENT_LOG,
  applies: (pipeline) => pipeline.eventLog !== null,
  // Off by default in Spark; what it tells, the checkpoint and the driver's UI tell as well.
  absent: () => null,
  collect: async (question) => {
    const address = question.pipeline.eventLog
    return address === null ? findings([], []) : await readEventLog(address, question)
  },
}

/** @param address one log file, one rolling log (`eventlog_v2_…`), or the folder that holds the logs (spark.eventLog.dir). */
async function readEventLog(address: string, question: Question): Promise<Findings> {
  const folder = openFolder(address)
  if (folder === null) return findings([], [gap(unsupported(address) ?? 'its address cannot be read')])
  try {
    const files = await logFiles(folder, question.signal)
    return typeof files === 'string' ? findings([], [gap(files)], folder) : await readFiles(folder, files, question)
  } catch (cause) {
    // The last net: an odd file must not cost the findings of the other sources.
    return findings([], [gap(`the event log could not be read (${cause instanceof Error ? cause.message : 'unknown reason'})`)], folder)
  }
}

interface LogFile {
  readonly path: string
  readonly modifiedMs: number
  readonly bytes: number
}

/** Files of the newest log, oldest first; a text says why there is none. */
export async function logFiles(folder: Folder, signal: AbortSignal): Promise<readonly LogFile[] | string> {
  const names = await folder.names('', signal)
  if (!names.ok) {
    const file = await folder.modified('', signal)
    return file.ok ? [{ path: '', ...file.value }] : `the event log ${folder.address} could not be read: ${names.failure.why}`
  }
  if (names.value.some(isRolled)) return await stats(folder, names.value.filter(isRolled), signal)
  const logs = await stats(
    folder,
    names.value.filter((name) => !name.startsWith('.')),
    signal,
  )
  if (typeof logs === 'string') return logs
  const newest = logs.at(-1)
  if (newest === undefined) return `${folder.address} holds no event log: spark.eventLog.enabled is false by default`
  if (!newest.path.startsWith('eventlog_v2_')) return [newest]
  const rolled = await folder.names(newest.path, signal)
  return rolled.ok
    ? await stats(
        folder,
        rolled.value.filter(isRolled).map((name) => `${newest.path}/${name}`),
        signal,
      )
    : `the event log ${newest.path} could not be listed: ${rolled.failure.why}`
}

function isRolled(name: string): boolean {
  return /^events_\d+_/.test(name)
}

/** Oldest first; rolled files by their number, others by the time of their last write. A text says why the newest is not known. */
async function stats(folder: Folder, paths: readonly string[], signal: AbortSignal): Promise<LogFile[] | string> {
  const answers = await Promise.all(paths.map((path) => folder.modified(path, signal)))
  const cut = answers.find((answer) => !answer.ok && (answer.failure.kind === 'stopped' || answer.failure.kind === 'lost'))
  if (cut?.ok === false) return `the files of the event log ${folder.address} could not all be looked at: ${cut.failure.why}`
  const files = answers.flatMap((answer) =>
    answer.ok ? [{ path: answer.value.name, modifiedMs: answer.value.modifiedMs, bytes: answer.value.bytes }] : [],
  )
  const index = (path: string) => Number(/events_(\d+)_/.exec(path)?.[1] ?? 0)
  return files.sort((a, b) => index(a.path) - index(b.path) || a.modifiedMs - b.modifiedMs || (a.path < b.path ? -1 : 1))
}

/** Newest file first, until the cap; then the lines of all, oldest first. */
async function readFiles(folder: Folder, files: readonly LogFile[], question: Question): Promise<Findings> {
  const gaps: Gap[] = []
  const portions: StreamingLine[][] = []
  let plainLeft = PLAIN_CAP
  let zstdLeft = ZSTD_CAP
  let whole = true
  for (const file of files.toReversed()) {
    const name = file.path === '' ? folder.address : file.path
    const codec = /\.(lz4|snappy|lzf)(\.inprogress|\.compact)?$/.exec(name)?.[1]
    if (codec !== undefined) {
      gaps.push(
        gap(
          `the event log is compressed with ${codec}, which is not supported yet`,
          'spark.eventLog.compression.codec=zstd   # at the next start of the application',
        ),
      )
      break
    }
    const zstd = /\.zstd?(\.inprogress|\.compact)?$/.test(name)
    const length = Math.min(file.bytes, zstd ? zstdLeft : plainLeft)
    if (length < file.bytes) whole = false
    if (length === 0) break
    const answer = await folder.part(file.path, file.bytes - length, length, question.signal)
    if (!answer.ok) {
      if (answer.failure.kind !== 'gone') gaps.push(gap(`the event log ${name} could not be read: ${answer.failure.why}`))
      break
    }
    portions.unshift(await linesOf(answer.value, zstd))
    if (zstd) zstdLeft -= length
    else plainLeft -= length
  }
  return fromLines(portions.flat(), gaps, whole, folder, question)
}

async function linesOf(bytes: Buffer, zstd: boolean): Promise<StreamingLine[]> {
  const sieve = new LineSieve(STREAMING_EVENT, NEEDLE_WITHIN)
  const texts: string[] = []
  if (zstd) for await (const piece of unzstd(bytes)) texts.push(...sieve.push(piece))
  else texts.push(...sieve.push(bytes))
  return texts.flatMap((text) => parseStreamingLine(text) ?? [])
}

function fromLines(lines: readonly StreamingLine[], gaps: readonly Gap[], whole: boolean, folder: Folder, question: Question): Findings {
  const { query: wanted } = question.pipeline
  const queries = [...new Map(lines.map((line) => [line.query, line.name])).entries()]
  const chosen = wanted === null ? queries : queries.filter(([id, name]) => id === wanted || name === wanted)
  const [only, second] = chosen
  if (lines.length === 0) return findings([], [...gaps, gap('the part of the event log that was read tells of no streaming query')], folder)
  if (only === undefined || second !== undefined) {
    return findings(
      [],
      [
        ...gaps,
        gap(
          `the event log tells of ${queries.length} streaming queries and ${only === undefined ? `none is named ${wanted}` : 'none is named in the configuration'}: ${queries.map(([id, name]) => name ?? id).join(', ')}`,
          `query: ${queries[0]?.[1] ?? queries[0]?.[0] ?? ''}`,
        ),
      ],
      folder,
    )
  }
  const mine = lines.filter((line) => line.query === only[0])
  const firstMs = mine.find((line) => line.sighting !== undefined)?.sighting?.triggerStartMs
  const reach: Gap[] =
    !whole && firstMs !== undefined && firstMs > question.fromMs
      ? [{ ...gap('only the newest part of the event log was read'), from: question.fromMs / 1000, to: firstMs / 1000 }]
      : []
  question.progress(`Event log: ${mine.filter((line) => line.sighting !== undefined).length} batches`)
  return findings(mine, [...gaps, ...reach], folder)
}

function gap(reason: string, mend?: string): Gap {
  return { source: EVENT_LOG, signal: null, reason, ...(mend === undefined ? {} : { mend }) }
}

function findings(lines: readonly StreamingLine[], gaps: readonly Gap[], folder?: Folder): Findings {
  const sightings = lines.flatMap((line) => line.sighting ?? [])
  const name = lines.find((line) => line.name !== null)?.name ?? null
  let lastS = 0
  const events = lines.flatMap((line) => {
    const progress = line.sighting
    if (progress?.triggerStartMs !== undefined) lastS = (progress.triggerStartMs + (progress.phasesMs?.triggerExecution ?? 0)) / 1000
    if (line.event === undefined) return []
    // An end has no time in the log: it is not before the last progress.
    return Number.isNaN(line.event.at) ? (lastS > 0 ? [{ ...line.event, at: lastS }] : []) : [line.event]
  })
  return {
    source: EVENT_LOG,
    series: [],
    sightings,
    commits: [],
    events,
    gaps,
    clocks: [{ source: EVENT_LOG, skew_bound_s: 2 }],
    topics: [],
    reader: lines.length === 0 ? {} : { kind: 'spark-structured-streaming', ...(name === null ? {} : { query: name }) },
    sink: {},
    traffic: folder === undefined ? [] : [folder.traffic()],
  }
}
