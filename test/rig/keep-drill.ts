// npm run rig -- keep RECORD…: makes the bundle of a drill fit for the repository (test/drills): nothing of this machine in
// it, small, with the truth beside it, and still the same verdict.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { judge } from './judge.ts'
import { REPOSITORY, readJson, writeJson } from './layout.ts'
import type { DrillRecord } from './truth.ts'
import type { Verdict } from './verdict.ts'

/** Larger ones do not belong into a repository. */
const MOST_BYTES = 150_000
/** What stands for the folder of the session in a kept bundle. */
const ANYWHERE = '/data/orders'

export interface KeepOptions {
  /** Begins with the kind; KIND-live-SEED when absent. */
  readonly name?: string | undefined
  /** Where it is when it was moved since; else the record knows. */
  readonly bundle?: string | undefined
  readonly to?: string | undefined
}

export interface Kept {
  readonly file: string
  readonly bytes: number
  /** Of today's engine. A wrong one is worth keeping all the same: the tests are red until it is mended. */
  readonly verdict: Verdict
  readonly must: 'right' | 'not_wrong'
  readonly wrong: boolean
}

/** Throws when a path of this machine is left, when it is too large, and when the verdict is not the same. */
export function keepDrill(recordFile: string, { name, bundle, to }: KeepOptions = {}): Kept {
  const record = readJson(recordFile) as DrillRecord
  const { kind, seed } = record
  const from = bundle ?? record.bundle
  if (from === null) throw new Error(`${recordFile} has no bundle`)
  const title = name ?? `${kind}-live-${seed}`
  if (!title.startsWith(`${kind}-`)) throw new Error(`the name must begin with "${kind}-", the tests read the kind from it`)
  const before = gunzipSync(readFileSync(from)).toString()
  const text = withoutMachine(before)
  const left = machineIn(text)
  if (left.length > 0) throw new Error(`${from} still tells of this machine: ${left.slice(0, 5).join(', ')}`)
  const content = gzipSync(text, { level: 9 })
  if (content.length > MOST_BYTES) throw new Error(`${from} has ${content.length} bytes, ${MOST_BYTES} are allowed`)
  const verdict = sameVerdict(before, text)
  const { right, wrong, placeRight } = judge(kind, record.place, verdict, record.session.topic)
  const must = right && placeRight !== false ? 'right' : 'not_wrong'
  const folder = to ?? join(REPOSITORY, 'test', 'drills')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${title}.json.gz`)
  writeFileSync(file, content)
  writeJson(join(folder, `${title}.json`), truthOf(record, must))
  return { file, bytes: content.length, verdict, must, wrong }
}

function truthOf({ kind, seed, session, place, parameters, times }: DrillRecord, must: Kept['must']) {
  const { seed: sessionSeed, partitions, triggerMs, eventLog, metrics } = session
  const secondsIntoFault = Math.round((times.askedMs - times.faultMs) / 1000)
  const drill = { seed, sessionSeed, partitions, triggerMs, eventLog, metrics, parameters }
  return { kind, place, must, secondsIntoFault, faultMs: times.faultMs, endMs: times.endMs, drill }
}

interface Look {
  readonly pipeline?: { readonly look?: { readonly checkpoint?: string; readonly table?: string } }
}

/** The document with the folders of the rig's session replaced, wherever they stand; everything else as it was. */
export function withoutMachine(text: string): string {
  return moved(text, foldersIn(text))
}

function foldersIn(text: string): string[] {
  const { checkpoint, table } = (JSON.parse(text) as Look).pipeline?.look ?? {}
  return [checkpoint, table].flatMap((path) => (path?.startsWith('/') === true ? [dirname(path)] : [])).filter((one) => one !== '/')
}

const moved = (json: string, folders: readonly string[]): string =>
  folders.reduce((said, folder) => said.replaceAll(JSON.stringify(folder).slice(1, -1), ANYWHERE), json)

/** Strings of a document that name this machine or a path below one of its top folders. */
export function machineIn(text: string): string[] {
  const tops = readdirSync('/').filter((name) => name !== 'data')
  const path = new RegExp(`(?<![\\w.])/(?:${tops.map((top) => top.replace(/\W/g, '\\$&')).join('|')})/[^\\s"']*`, 'g')
  const host = hostname()
  // a host called "spark" would be found everywhere
  const hosts = host.length > 8 && text.includes(host) ? [host] : []
  return [...new Set([...hosts, ...(text.match(path) ?? [])])]
}

/** Judges both documents by the public command. @returns the verdict; throws when they differ in more than names of folders */
function sameVerdict(before: string, after: string): Verdict {
  const dir = mkdtempSync(join(tmpdir(), 'keep-'))
  try {
    const [first, second] = [before, after].map((text, i) => replayed(join(dir, `${i}.json`), text))
    // The commands to check it name the folders, too.
    const same = moved(JSON.stringify(first), foldersIn(before)) === JSON.stringify(second)
    if (first === undefined || second === undefined || !same) {
      throw new Error('the verdict is another one without the names of folders')
    }
    return second
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function replayed(file: string, text: string): Verdict {
  writeFileSync(file, text)
  const main = join(REPOSITORY, 'src', 'main.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [main, 'replay', file, '--json'], { encoding: 'utf8' })
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`the bundle could not be replayed: ${stderr.trim().split('\n').at(-1)}`)
  const { bundle: _file, ...verdict } = JSON.parse(line) as Verdict & { bundle: string }
  return verdict
}
