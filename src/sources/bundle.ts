/**
 * Bundles: evidence frozen in one JSON document (plain or gzip), so that anyone can replay a verdict without the systems it was
 * about. Reading is strict about types and tolerant about everything else; writing is canonical: equal evidence, equal bytes.
 */
import { gunzipSync } from 'node:zlib'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Evidence } from '../incident/evidence.ts'
import { inOrder } from './bundle-order.ts'
import { bundleSchema } from './bundle-schema.ts'
import { canonicalLines, shareAxes } from './bundle-text.ts'

/** Largest document that is read, in bytes after inflation: a day of a thousand partitions is far below. */
export const maxBundleBytes = 200 * 1024 * 1024

/**
 * @param content the document, or its bytes: plain or gzip, told apart by the first two
 * @returns evidence in its one order, `truth` left out, shared axes (`grid`) written out
 * @throws HeadwaterError bundle_mistaken with the path of the first mistake, bundle_too_large
 */
export function readBundle(content: string | Uint8Array): Evidence {
  const parsed = bundleSchema.safeParse(parseJson(textOf(content)))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw mistaken(issue.path as (string | number)[], `should be ${issue.message}`)
  }
  const { truth: _never, grids, ...bundle } = parsed.data as unknown as WrittenBundle
  const series = (bundle.series ?? []).map((one, i) => withAxis(one, i, grids ?? {}))
  const batches = (bundle.batches ?? []).map((batch) =>
    batch.stages === undefined ? batch : { ...batch, stages: batch.stages.map((stage, i) => ({ ...stage, id: stage.id ?? i })) },
  )
  const { commits = [], events = [], gaps = [] } = bundle
  const evidence: Evidence = {
    ...bundle,
    series,
    batches,
    commits,
    events,
    gaps: gaps.map((gap) => ({ ...gap, signal: gap.signal ?? null })),
  }
  if (Date.parse(evidence.window.from) >= Date.parse(evidence.window.to))
    throw mistaken(['window'], 'should begin (from) before it ends (to)')
  return inOrder(evidence)
}

/** @returns the canonical document: one line per series, batch, commit, event and gap; axes that several series share stand once */
export function writeBundle(evidence: Evidence): string {
  return canonicalLines(bundleSchema, shareAxes(inOrder(evidence)))
}

/** The document before it is evidence: what the schema has let through. */
type WrittenBundle = Omit<Evidence, 'series' | 'batches' | 'commits' | 'events' | 'gaps'> & {
  readonly truth?: unknown
  readonly grids?: Readonly<Record<string, readonly number[]>>
  readonly series?: readonly WrittenSeries[]
} & Partial<Pick<Evidence, 'batches' | 'commits' | 'events' | 'gaps'>>

type WrittenSeries = Omit<Evidence['series'][number], 'entity' | 't'> & {
  readonly entity?: Evidence['series'][number]['entity']
  readonly t?: readonly number[]
  readonly grid?: string
}

function withAxis(
  { grid, ...series }: WrittenSeries,
  index: number,
  grids: Readonly<Record<string, readonly number[]>>,
): Evidence['series'][number] {
  const path = ['series', index]
  if (grid !== undefined && series.t !== undefined) throw mistaken([...path, 'grid'], 'should stand in place of t, not beside it')
  if (grid !== undefined && !Object.hasOwn(grids, grid)) throw mistaken([...path, 'grid'], `names no axis of grids: "${grid}"`)
  const t = grid === undefined ? series.t : grids[grid]
  if (t === undefined) throw mistaken([...path, 't'], 'should be a list of times, or grid the name of one')
  const { v } = series
  if (t.length !== v.length) throw mistaken([...path, 'v'], `should be as long as its times: ${t.length}, not ${v.length}`)
  const falls = t.findIndex((at, i) => i > 0 && at <= t[i - 1]!)
  if (falls > 0)
    throw mistaken(
      grid === undefined ? [...path, 't', falls] : ['grids', grid, falls],
      `should be above the time before it, ${t[falls - 1]}`,
    )
  return { ...series, entity: series.entity ?? {}, t, v }
}

function textOf(content: string | Uint8Array): string {
  if (typeof content === 'string') return content
  if (content.length > maxBundleBytes) throw tooLarge()
  let bytes = content
  if (content[0] === 0x1f && content[1] === 0x8b) {
    try {
      bytes = gunzipSync(content, { maxOutputLength: maxBundleBytes })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
      throw new HeadwaterError('bundle_mistaken', `broken or cut off gzip (${messageOf(error)}); ${wanted}`, { cause: error })
    }
  }
  return new TextDecoder('utf-8').decode(bytes)
}

/** What was wanted, after everything that is not it. */
const wanted = 'a bundle is one JSON document, plain or gzip, as diagnose --bundle writes it'

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new HeadwaterError('bundle_mistaken', `empty; ${wanted}`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HeadwaterError('bundle_mistaken', `no JSON document (${messageOf(error)}); ${wanted}`, { cause: error })
  }
}

export function tooLarge(): HeadwaterError {
  return new HeadwaterError('bundle_too_large', `larger than ${maxBundleBytes / 1024 / 1024} MiB, the most that is read of one bundle`)
}

/** "series[3].v[17] should be a number or null" */
function mistaken(path: readonly (string | number)[], what: string): HeadwaterError {
  const place = path.reduce<string>((said, key) => (typeof key === 'number' ? `${said}[${key}]` : said === '' ? key : `${said}.${key}`), '')
  return new HeadwaterError('bundle_mistaken', `${place === '' ? 'the document' : place} ${what}`)
}
