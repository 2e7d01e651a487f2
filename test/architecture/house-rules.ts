/**
 * The house as rules over a set of files, so that the test can show them a house that stands and houses that would fall.
 * A rule answers with sentences: who breaks it, how, and what would be right. No sentence = the house stands.
 */
import { posix } from 'node:path'
import type { Import, ParsedModule } from './parse-module.ts'
import { parseModule } from './parse-module.ts'
import { chance, impurities, localD3 } from './purity.ts'

/** Pure rooms, in the order an incident walks: a file imports from its own room and from rooms before it. */
export const pureRooms = ['incident', 'timeline', 'attribution', 'proposal', 'signoff', 'recovery', 'report', 'workflow'] as const
/** Each one way of touching the world. They never know each other. */
export const edgeRooms = ['triggers', 'queue', 'store', 'sources', 'picture', 'slack', 'demo'] as const

/** Files of the root and the rooms config and cli, with the rooms each may know. `*` = all rooms. */
const others: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'log.ts': ['errors.ts'],
  'within.ts': [],
  config: ['incident', 'errors.ts', 'log.ts'],
  'app.ts': ['*', 'config', 'errors.ts', 'log.ts'],
  'serve.ts': ['*', 'config', 'errors.ts', 'log.ts', 'app.ts', 'serve'],
  serve: ['*', 'config', 'errors.ts', 'log.ts', 'within.ts', 'app.ts'],
  cli: ['*', 'config', 'errors.ts', 'log.ts', 'app.ts', 'serve.ts'],
  'main.ts': ['cli', 'errors.ts'],
}

/** Which npm packages a room may use; `x/*` = the scope x. Everything else is refused. */
const packages: Readonly<Record<string, readonly string[]>> = {
  config: ['yaml', 'zod'],
  cli: ['commander'],
  'main.ts': [],
  report: ['d3-array', 'd3-scale', 'd3-shape', 'd3-time-format'],
  triggers: ['zod', 'prom-client'],
  queue: ['bullmq', 'ioredis'],
  store: ['ioredis'],
  sources: ['kafkajs', 'undici', 'zod', 'hyparquet', 'hyparquet-compressors', 'aws4fetch', 'fzstd'],
  picture: ['@resvg/*', '@expo-google-fonts/*'],
  slack: ['@slack/*'],
  demo: ['hono', '@hono/*', '@slack/*', 'ws'],
  'log.ts': ['pino'],
}

/** Names that say nothing; what lands there belongs in a room, under the noun it defines or the verb it exports. */
const emptyNames = /(^|[-/.])(utils?|helpers?|common|types|misc|shared|lib)(\.ts$|\/|$|\.)/

export type Files = Readonly<Record<string, string>>

/**
 * @param files path below the repository ('src/…', 'test/…') → text
 * @returns every broken rule as a sentence, sorted by file
 */
export function brokenRules(files: Files): string[] {
  const paths = Object.keys(files).sort()
  const said = paths.flatMap((path) => nameRules(path))
  for (const path of paths.filter((p) => p.startsWith('src/'))) {
    const module = parseModule(path, files[path]!)
    said.push(...moduleRules(path, module).map((what) => `${path}: ${what}`))
  }
  for (const path of paths.filter((p) => p.startsWith('test/rig/'))) said.push(...rigRules(path, files[path]!))
  for (const path of paths.filter((p) => p.startsWith(STAND_IN))) said.push(...standInRules(path, files[path]!))
  return [...said, ...listRules(files)]
}

/** 'src/report/chart/panel.ts' → 'report'; 'src/app.ts' → 'app.ts'. */
function roomOf(path: string): string {
  return path.split('/')[1]!
}

function nameRules(path: string): string[] {
  const said: string[] = []
  const file = posix.basename(path)
  if (emptyNames.test(path)) said.push(`${path}: name it for the noun it defines or the verb it exports`)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config))?\.ts$/.test(file)) said.push(`${path}: file names are kebab-case`)
  if (!path.startsWith('src/')) return said
  const room = roomOf(path)
  if (isPure(room) || isEdge(room) || room in others) return said
  return [
    ...said,
    `${path}: "${room}" is no room of this house (pure, edge, config, cli, serve; main.ts, app.ts, serve.ts, errors.ts, log.ts, within.ts)`,
  ]
}

function isPure(room: string): boolean {
  return (pureRooms as readonly string[]).includes(room)
}

function isEdge(room: string): boolean {
  return (edgeRooms as readonly string[]).includes(room)
}

function moduleRules(path: string, module: ParsedModule): string[] {
  const room = roomOf(path)
  const said = module.imports.flatMap((one) => importRules(path, room, one))
  if (isPure(room)) said.push(...impurities(module.nodes).map((what) => `a pure room may not touch ${what}`))
  if (path !== 'src/errors.ts') said.push(...module.errorClasses.map((name) => `class ${name}: only errors.ts extends Error`))
  return said
}

function importRules(path: string, room: string, one: Import): string[] {
  const said: string[] = []
  if (one.inlineType) said.push(`write "import type" for types of '${one.from}' (an inline "type" still loads the module)`)
  if (one.from.startsWith('.')) {
    if (!one.from.endsWith('.ts')) said.push(`write '${one.from}' with its .ts ending`)
    const target = posix.join(posix.dirname(path), one.from)
    if (!target.startsWith('src/')) said.push(`'${one.from}' leaves src`)
    else if (!mayKnow(room, roomOf(target))) said.push(whyNot(room, roomOf(target)))
  } else if (one.from.startsWith('node:')) {
    if (isPure(room) && one.from !== 'node:crypto') said.push(`a pure room may not import ${one.from}`)
    said.push(...one.names.filter((name) => isPure(room) && chance.has(name)).map((name) => `a pure room may not draw ${name}`))
  } else {
    if (!mayUse(room, one.from)) said.push(`package ${one.from} does not belong in ${room}`)
    said.push(
      ...one.names.filter((name) => isPure(room) && localD3.has(name)).map((name) => `${name} uses the machine's zone: take its utc twin`),
    )
  }
  return said
}

function mayKnow(from: string, to: string): boolean {
  if (from === to) return true
  const rooms: readonly string[] = pureRooms
  if (isPure(from)) return to === 'errors.ts' || (isPure(to) && rooms.indexOf(to) < rooms.indexOf(from))
  if (isEdge(from)) return isPure(to) || ['errors.ts', 'config', 'log.ts', 'within.ts'].includes(to)
  const known = others[from] ?? []
  return known.includes(to) || (known.includes('*') && (isPure(to) || isEdge(to)))
}

function whyNot(from: string, to: string): string {
  if (isPure(from) && isPure(to)) return `${from} comes before ${to} and may not know it`
  if (isPure(from)) return `pure room ${from} may not know ${to}`
  if (isEdge(from) && isEdge(to)) return `edge rooms never know each other: ${from}, ${to}`
  return `${from} may not know ${to}`
}

function mayUse(room: string, name: string): boolean {
  const parts = name.split('/')
  const whole = name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
  const allowed = packages[room] ?? []
  return allowed.includes(whole) || allowed.includes(`${parts[0]}/*`)
}

/** Who injects faults and logs the truth shares no code with who is judged by it. */
function rigRules(path: string, text: string): string[] {
  const targets = parseModule(path, text).imports.map((one) => posix.join(posix.dirname(path), one.from))
  return targets.filter((target) => target.startsWith('src/')).map((target) => `${path}: the rig may not know ${target}`)
}

const STAND_IN = 'src/demo/slack/'

/** What answers in Slack's place knows nothing of what is tried on it: it would repeat its mistakes. */
function standInRules(path: string, text: string): string[] {
  const local = parseModule(path, text).imports.filter((one) => one.from.startsWith('.'))
  const targets = local.map((one) => posix.join(posix.dirname(path), one.from))
  return targets.filter((target) => !target.startsWith(STAND_IN)).map((target) => `${path}: the stand-in may not know ${target}`)
}

/** A list and its folder say the same: what stands in the folder is in the list, and the list names nothing else. */
function listRules(files: Files): string[] {
  const listed = (index: string): Set<string> => {
    const text = files[index]
    if (text === undefined) return new Set()
    const local = parseModule(index, text).imports.filter((one) => one.from.startsWith('./') && !one.typeOnly)
    return new Set(local.map((one) => posix.join(posix.dirname(index), one.from)))
  }
  const inFolder = (folder: string, member: (path: string) => boolean): string[] =>
    Object.keys(files).filter((path) => posix.dirname(path) === folder && posix.basename(path) !== 'index.ts' && member(path))
  const compare = (folder: string, member: (path: string) => boolean): string[] => {
    const list = listed(`${folder}/index.ts`)
    return inFolder(folder, member).flatMap((path) => (list.has(path) ? [] : [`${path}: not in ${folder}/index.ts`]))
  }
  return [
    ...compare('src/attribution/causes', () => true),
    ...compare('src/triggers/formats', (path) => !path.endsWith('/format.ts')),
    ...compare('src/demo/slack/methods', (path) => !path.endsWith('/method.ts')),
    ...compare('src/sources', (path) => parseModule(path, files[path]!).sources.length > 0),
  ]
}
