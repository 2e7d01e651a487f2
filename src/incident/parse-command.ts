/**
 * What somebody asks of Headwater in words, behind `/headwater` or behind a mention of it. Forgiving where only one thing can be meant;
 * never a guess at the pipeline, since looking at another one answers another question.
 */
import { didYouMean } from './did-you-mean.ts'
import { listed } from './format.ts'
import { parseSince } from './parse-since.ts'
import { quoted } from './quoted.ts'

export type CommandText =
  | { readonly kind: 'diagnose'; readonly pipeline: string; readonly sinceMs: number | null }
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
  const words = wordsOf(text)
  const [first, ...rest] = words
  if (first === undefined || first === '?') return { kind: 'help' }
  const verb = verbs.find((one) => one === first.toLowerCase())
  if (verb !== undefined) return behind(verb, rest, asked)
  // "orders last 2h": the name alone can only mean one thing.
  if (named(first, asked) !== null) return behind('diagnose', words, asked)
  const meant = didYouMean(first, verbs)
  if (meant !== null) return behind(meant as (typeof verbs)[number], rest, asked)
  const near = didYouMean(first, asked.pipelines)
  if (near !== null) return unclear(`I do not know ${quoted(first)}. Did you mean: diagnose ${near}?`)
  return unclear(`I do not know ${quoted(first)}. I understand: diagnose <pipeline> [since 14:05 | last 2h], status, help.`)
}

function behind(verb: (typeof verbs)[number], words: readonly string[], asked: Asked): CommandText {
  if (verb === 'help') return { kind: 'help' }
  const [first] = words
  const pipeline = first === undefined ? null : named(first, asked)
  if (verb === 'status') {
    if (first === undefined || pipeline !== null) return { kind: 'status', pipeline }
    return noPipeline(first, 'status', asked)
  }
  if (pipeline !== null) return diagnose(pipeline, words.slice(1).join(' '), asked)
  const usual = asked.here ?? (asked.pipelines.length === 1 ? asked.pipelines[0]! : null)
  if (first === undefined) {
    return usual === null
      ? unclear(`Which pipeline? I know ${listed(asked.pipelines, 10)}: diagnose <pipeline>.`)
      : diagnose(usual, '', asked)
  }
  // "diagnose since 14:05" in the channel of a pipeline.
  if (usual !== null && typeof parseSince(words.join(' '), asked.nowMs, asked.zone) === 'number') {
    return diagnose(usual, words.join(' '), asked)
  }
  return noPipeline(first, 'diagnose', asked)
}

function diagnose(pipeline: string, since: string, { nowMs, zone }: Asked): CommandText {
  if (since === '') return { kind: 'diagnose', pipeline, sinceMs: null }
  const sinceMs = parseSince(since, nowMs, zone)
  return typeof sinceMs === 'number' ? { kind: 'diagnose', pipeline, sinceMs } : unclear(sinceMs.say)
}

function noPipeline(written: string, verb: string, { pipelines }: Asked): CommandText {
  const said = `There is no pipeline ${quoted(written)}.`
  const near = didYouMean(written, pipelines)
  if (near !== null) return unclear(`${said} Did you mean: ${verb} ${near}?`)
  return unclear(pipelines.length === 0 ? `${said} None is configured yet.` : `${said} I know ${listed(pipelines, 10)}.`)
}

/** The pipeline of that name, upper or lower case alike where that is unambiguous. */
function named(written: string, { pipelines }: Asked): string | null {
  const bare = written.replace(/^[`*_~"'“”‘’]+|[`*_~"'“”‘’.,;:!?]+$/g, '').toLowerCase()
  const alike = pipelines.filter((name) => name.toLowerCase() === bare || name.toLowerCase() === written.toLowerCase())
  return alike.find((name) => name === written) ?? (alike.length === 1 ? alike[0]! : null)
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** Without the mention and what stands before it, and without what Slack makes of addresses and marks. */
function wordsOf(text: string): readonly string[] {
  const [before = '', ...after] = text.slice(0, mostCharacters).split(/<@[A-Z0-9]+(?:\|[^<>]*)?>/)
  const said = after.join(' ').trim() === '' ? before : after.join(' ')
  return said
    .replace(/<[^<>|]*\|([^<>|]*)>/g, '$1')
    .replace(/<(?:https?:\/\/)?([^<>|]*)>/g, '$1')
    .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity]!)
    .replace(/^[\s,:]+/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
}

const unclear = (say: string): CommandText => ({ kind: 'unclear', say })
