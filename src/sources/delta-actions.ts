/** One commit of a Delta log: NDJSON, an action a line. What is not understood is named and passed over. */

export interface DeltaCommit {
  readonly operation: string | null
  /** The writer's clock. */
  readonly timestampMs: number | null
  readonly inCommitMs: number | null
  /** As commitInfo tells them (numbers written as text). */
  readonly metrics: { readonly files?: number; readonly rows?: number; readonly bytes?: number }
  /** Who wrote which of his versions: for a streaming query its id and the batch. */
  readonly transactions: readonly { readonly appId: string; readonly version: number }[]
  readonly adds: { readonly count: number; readonly dataChanges: number; readonly bytes: number; readonly rows: number | null }
  readonly removes: number
  /** Least and greatest value by column, of columns whose statistics are timestamps; epoch ms. */
  readonly times: ReadonlyMap<string, { readonly minMs: number; readonly maxMs: number }>
  readonly changesTable: boolean
  readonly readerFeatures: readonly string[] | null
  readonly unknownActions: readonly string[]
  /** Lines that were not whole JSON. */
  readonly brokenLines: number
  /** The file was read only in part, so counts of its actions are too low. */
  readonly cut: boolean
}

const KNOWN_ACTIONS: ReadonlySet<string> = new Set([
  'commitInfo',
  'txn',
  'add',
  'remove',
  'metaData',
  'protocol',
  'cdc',
  'domainMetadata',
  'sidecar',
  'checkpointMetadata',
])
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

type Json = Record<string, unknown>

export function parseDeltaCommit(text: string, cut: boolean): DeltaCommit {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  // The last line of a part of a file is only a part itself.
  if (cut && !text.endsWith('\n')) lines.pop()
  const times = new Map<string, { minMs: number; maxMs: number }>()
  const unknown = new Set<string>()
  const transactions: { appId: string; version: number }[] = []
  const adds = { count: 0, dataChanges: 0, bytes: 0, rows: 0 as number | null }
  let info: Json = {}
  let removes = 0
  let brokenLines = 0
  let changesTable = false
  let readerFeatures: readonly string[] | null = null
  for (const line of lines) {
    const action = parse(line)
    if (action === null) {
      brokenLines++
      continue
    }
    for (const [name, body] of Object.entries(action)) {
      if (!KNOWN_ACTIONS.has(name)) unknown.add(name)
      if (!isObject(body)) continue
      if (name === 'commitInfo') info = body
      else if (name === 'txn') {
        if (typeof body.appId === 'string' && typeof body.version === 'number')
          transactions.push({ appId: body.appId, version: body.version })
      } else if (name === 'remove') removes++
      else if (name === 'metaData') changesTable = true
      else if (name === 'protocol') {
        changesTable = true
        readerFeatures = textsOf(body.readerFeatures)
      } else if (name === 'add') addFile(body, adds, times)
    }
  }
  const parameters = isObject(info.operationParameters) ? info.operationParameters : {}
  if (transactions.length === 0) transactions.push(...streamingEpoch(parameters))
  return {
    operation: typeof info.operation === 'string' ? info.operation : null,
    timestampMs: numberOf(info.timestamp),
    inCommitMs: numberOf(info.inCommitTimestamp),
    metrics: metricsOf(isObject(info.operationMetrics) ? info.operationMetrics : {}),
    transactions,
    adds,
    removes,
    times,
    changesTable,
    readerFeatures,
    unknownActions: [...unknown],
    brokenLines,
    cut,
  }
}

function addFile(
  add: Json,
  sum: { count: number; dataChanges: number; bytes: number; rows: number | null },
  times: Map<string, { minMs: number; maxMs: number }>,
): void {
  sum.count++
  sum.bytes += numberOf(add.size) ?? 0
  if (add.dataChange !== false) sum.dataChanges++
  const stats = typeof add.stats === 'string' ? parse(add.stats) : null
  const records = stats === null ? null : numberOf(stats.numRecords)
  sum.rows = sum.rows === null || records === null ? null : sum.rows + records
  if (stats === null || add.dataChange === false) return
  const lows = isObject(stats.minValues) ? stats.minValues : {}
  const highs = isObject(stats.maxValues) ? stats.maxValues : {}
  for (const [column, high] of Object.entries(highs)) {
    const maxMs = instantOf(high)
    const minMs = instantOf(lows[column])
    if (maxMs === null || minMs === null) continue
    const known = times.get(column)
    times.set(column, { minMs: Math.min(minMs, known?.minMs ?? minMs), maxMs: Math.max(maxMs, known?.maxMs ?? maxMs) })
  }
}

/** Names differ by operation: STREAMING UPDATE counts added files, WRITE files. */
function metricsOf(metrics: Json): DeltaCommit['metrics'] {
  const files = numberOf(metrics.numAddedFiles) ?? numberOf(metrics.numFiles)
  const rows = numberOf(metrics.numOutputRows)
  const bytes = numberOf(metrics.numOutputBytes) ?? numberOf(metrics.numAddedBytes)
  return { ...(files === null ? {} : { files }), ...(rows === null ? {} : { rows }), ...(bytes === null ? {} : { bytes }) }
}

/** A writer that records no `txn` may still name the query and its epoch (the batch). */
function streamingEpoch(parameters: Json): { appId: string; version: number }[] {
  const appId = parameters.queryId
  const version = numberOf(parameters.epochId)
  return typeof appId === 'string' && version !== null ? [{ appId, version }] : []
}

/** Without a zone (timestamp_ntz) it is taken as UTC. */
function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !ISO.test(value)) return null
  const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`)
  return Number.isNaN(ms) ? null : ms
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
