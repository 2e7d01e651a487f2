/**
 * What somebody asks of Headwater in words, behind `/headwater` or behind a mention of it. Forgiving where only one thing can be meant;
 * never a guess at the pipeline, since looking at another one answers another question: one slip in its name is no guess.
 */
import { didYouMean, oneSlip } from './did-you-mean.ts'
import { listed } from './format.ts'
import { parseSince } from './parse-since.ts'
import { quoted } from './quoted.ts'

export type CommandText =
  | { readonly kind: 'diagnose'; readonly pipeline: string; readonly sinceMs: number | null; readonly thorough?: true }
  /** null = of all pipelines. */
  | { readonly kind: 'status'; readonly pipeline: string | null }
  | { readonly kind: 'help' }
  /** One sentence for the asker. It may repeat a few of the asker's characters, so it is escaped like any foreign text. */
  | { readonly kind: 'unclear'; readonly say: string }

export interface Asked {
  /** All pipelines there are. */
  readonly pipelines: readonly string[]
  /** The pipeline that the channel is for, where it is for one; null = none. */
  readonly here: string | null
  readonly nowMs: number
  /** IANA zone of the asker. */
  readonly zone: string
}

/** More than anybody writes; what stands behind is not read. */
const mostCharacters = 500

const verbs = ['diagnose', 'status', 'help'] as const

/** @param text as Slack sends it: behind the slash command, or a whole message with a mention */
export function parseCommand(text: string, asked: Asked): CommandText {
  const all = wordsOf(text)
  const begin = all.findIndex((word) => named(word, asked) !== null || !around.before.has(bare(word)))
  const words = begin < 0 ? [] : all.slice(begin)
  const [first, ...rest] = words
  if (first === undefined || asksForHelp(first)) return { kind: 'help' }
  const verb = verbs.find((one) => one === first.toLowerCase())
  if (verb !== undefined) return behind(verb, rest, asked)
  // "orders last 2h": the name alone can only mean one thing.
  if (named(first, asked) !== null) return behind('diagnose', words, asked)
  const near = didYouMean(first, verbs)
  if (near !== null) return behind(near as (typeof verbs)[number], rest, asked)
  const name = didYouMean(first, asked.pipelines)
  if (name !== null) return unclear(`I do not know ${quoted(first)}. Did you mean: diagnose ${name}?`)
  return unclear(`I do not know ${quoted(first)}. I understand: diagnose <pipeline> [since 14:05 | last 2h], status, help.`)
}

function behind(verb: (typeof verbs)[number], words: readonly string[], asked: Asked): CommandText {
  if (verb === 'help') return { kind: 'help' }
  // A pipeline may be called so.
  const how = words.some((word) => isThorough(word, asked)) ? ({ thorough: true } as const) : {}
  const { pipeline, written, rest } = meant(
    words.filter((word) => !isThorough(word, asked)),
    asked,
  )
  if (pipeline === null && written !== null && asksForHelp(written)) return { kind: 'help' }
  if (verb === 'status') {
    if (written === null || pipeline !== null) return { kind: 'status', pipeline }
    return noPipeline(written, 'status', asked)
  }
  if (pipeline !== null) {
    const also = rest.map((word) => named(word, asked)).find((name) => name !== null && name !== pipeline)
    const since = rest.filter((word) => named(word, asked) === null).join(' ')
    return also === undefined
      ? diagnose(pipeline, since, how, asked)
      : unclear(`One pipeline at a time: diagnose ${pipeline}, and then diagnose ${also}.`)
  }
  const usual = asked.here ?? (asked.pipelines.length === 1 ? asked.pipelines[0]! : null)
  if (written === null) {
    return usual === null
      ? unclear(`Which pipeline? I know ${listed(asked.pipelines, 10)}: diagnose <pipeline>.`)
      : diagnose(usual, '', how, asked)
  }
  // "diagnose since 14:05" in the channel of a pipeline.
  const since = [written, ...rest].join(' ')
  if (usual !== null && typeof parseSince(since, asked.nowMs, asked.zone) === 'number') return diagnose(usual, since, how, asked)
  return noPipeline(written, 'diagnose', asked)
}

const asksForHelp = (word: string): boolean => ['?', '-h', '--help', 'help'].includes(word.toLowerCase())

/** Words around a name that say nothing: "diagnose the orders pipeline, please". */
const around = {
  before: new Set(['the', 'our', 'my', 'pipeline', 'please', 'pls', 'for', 'of', 'on']),
  behind: new Set(['pipeline', 'please', 'pls', 'thanks', 'thank', 'you', 'now']),
}

interface Meant {
  readonly pipeline: string | null
  /** The word where a pipeline is named; null = there is none. */
  readonly written: string | null
  /** What stands behind it. */
  readonly rest: readonly string[]
}

/** A pipeline may be called like any word: a name is one before it is anything else. */
function meant(all: readonly string[], asked: Asked): Meant {
  const words = withoutEnd(all, asked)
  const at = words.findIndex((word) => named(word, asked) !== null || !around.before.has(bare(word)))
  const written = words[at]
  if (written === undefined) return { pipeline: null, written: null, rest: [] }
  const rest = words.slice(at + 1)
  const said = rest.findIndex((word) => !around.behind.has(bare(word)))
  return { pipeline: named(written, asked) ?? slipped(written, asked), written, rest: said < 0 ? [] : rest.slice(said) }
}

function withoutEnd(words: readonly string[], asked: Asked): readonly string[] {
  const last = words.findLastIndex((word) => named(word, asked) !== null || !around.behind.has(bare(word)))
  return words.slice(0, last + 1)
}

/** As the option of the terminal, or as a word. */
const thoroughly = new Set(['thorough', 'thoroughly', '--thorough', '—thorough'])

const isThorough = (word: string, asked: Asked): boolean => thoroughly.has(bare(word)) && named(word, asked) === null

function diagnose(pipeline: string, since: string, how: { readonly thorough?: true }, { nowMs, zone }: Asked): CommandText {
  if (since === '') return { kind: 'diagnose', pipeline, sinceMs: null, ...how }
  const sinceMs = parseSince(since, nowMs, zone)
  return typeof sinceMs === 'number' ? { kind: 'diagnose', pipeline, sinceMs, ...how } : unclear(sinceMs.say)
}

function noPipeline(written: string, verb: string, { pipelines }: Asked): CommandText {
  const said = `There is no pipeline ${quoted(written)}.`
  const near = didYouMean(written, pipelines)
  if (near !== null) return unclear(`${said} Did you mean: ${verb} ${near}?`)
  return unclear(pipelines.length === 0 ? `${said} None is configured yet.` : `${said} I know ${listed(pipelines, 10)}.`)
}

/** The pipeline of that name, upper or lower case alike where that is unambiguous. */
function named(written: string, { pipelines }: Asked): string | null {
  const alike = pipelines.filter((name) => name.toLowerCase() === bare(written) || name.toLowerCase() === written.toLowerCase())
  return alike.find((name) => name === written) ?? (alike.length === 1 ? alike[0]! : null)
}

/** The only pipeline that was nearly written. */
function slipped(written: string, { pipelines }: Asked): string | null {
  const near = pipelines.filter((name) => oneSlip(bare(written), name))
  return near.length === 1 ? near[0]! : null
}

/** Without the marks that people put around a word. */
const bare = (word: string): string => word.replace(/^[`*_~"'“”‘’#([]+|[`*_~"'“”‘’.,;:!?)\]]+$/g, '').toLowerCase()

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** Without the mention and what stands before it, and without what Slack makes of addresses and marks. */
function wordsOf(text: string): readonly string[] {
  const [before = '', ...after] = text.slice(0, mostCharacters).split(/<@[A-Z0-9]+(?:\|[^<>]*)?>/)
  const said = after.join(' ').trim() === '' ? before : after.join(' ')
  return (
    said
      .replace(/<[^<>|]*\|([^<>|]*)>/g, '$1')
      .replace(/<(?:https?:\/\/)?([^<>|]*)>/g, '$1')
      .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity]!)
      .replace(/^[\s,:]+/, '')
      // The command, copied into a message with a mention.
      .replace(/^\/[\w-]+\s*/, '')
      .split(/\s+/)
      .filter((word) => word !== '')
  )
}

const unclear = (say: string): CommandText => ({ kind: 'unclear', say })
