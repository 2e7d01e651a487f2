/**
 * Label matchers as Alertmanager's users know them: `topic="orders"`, `team=~"data.*"`, `!=`, `!~`. A regular expression has to match
 * the whole value, and a label that is not there is an empty one. Rules of notation: Alertmanager's pkg/labels/parse.go.
 */
import { wholeTextMatcher } from './regex/match.ts'

export interface Matcher {
  readonly name: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

/** What is wrong with a matcher, and what would be right. */
export interface MatcherMistake {
  readonly what: string
  readonly right: string
}

const form = 'write label="value" with =, !=, =~ or !~ between them, e.g. topic="orders" or team=~"data.*"'

/** One or several, with commas between them; braces around them are allowed. */
export function parseMatchers(text: string): { readonly matchers: readonly Matcher[] } | { readonly mistake: MatcherMistake } {
  const matchers: Matcher[] = []
  const parts = text
    .trim()
    .replace(/^\{(.*)\}$/s, '$1')
    .match(/(?:"(?:\\.|[^"\\])*"|[^,"]|")+/gs)
  for (const part of parts ?? []) {
    if (part.trim() === '') continue
    const read = parseMatcher(part.trim())
    if ('mistake' in read) return read
    matchers.push(read.matcher)
  }
  return matchers.length === 0 ? { mistake: { what: 'no matcher in it', right: form } } : { matchers }
}

const notation = /^("(?:\\.|[^"\\])+"|[^\s{}!=~,\\"'`]+)\s*(=~|!=|!~|=)\s*(.*)$/s

function parseMatcher(text: string): { readonly matcher: Matcher } | { readonly mistake: MatcherMistake } {
  const [, name, op, written] = notation.exec(text) ?? []
  if (name === undefined || op === undefined || written === undefined) {
    const twice = /^[^=!~]+==/.test(text)
    return { mistake: { what: twice ? 'one "=" is enough' : 'this is no matcher', right: form } }
  }
  if (written.startsWith('=')) return { mistake: { what: 'one "=" is enough', right: form } }
  const value = unquoted(written)
  if (value === null) return { mistake: { what: 'the quotes around the value do not pair up', right: form } }
  if (op === '=~' || op === '!~') {
    const regex = wholeTextMatcher(value)
    if ('mistake' in regex) {
      return {
        mistake: { what: `the regular expression has ${regex.mistake}`, right: 'write one in the syntax of RE2, as for Alertmanager' },
      }
    }
  }
  return { matcher: { name: unquoted(name) ?? name, op: op as Matcher['op'], value } }
}

/** `\"`, `\n` and `\\` are escapes; any other backslash stands for itself, so that `"\d+"` can be written. null = a stray quote. */
function unquoted(written: string): string | null {
  const quoted = /^"((?:\\.|[^"\\])*)"$/s.exec(written)
  if (quoted === null && written.includes('"')) return null
  return (quoted?.[1] ?? written).replace(/\\(["n\\])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark))
}

/** `topic="orders"` for a label as it is: what to copy into the configuration. */
export function matcherText(name: string, value: string): string {
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
  return `${/^[A-Za-z_][\w.:-]*$/.test(name) ? name : quoted(name)}=${quoted(value)}`
}

/** Compiled once: whether labels satisfy all of the matchers. A pattern that `parseMatchers` refuses matches nothing. */
export function matchesAll(matchers: readonly Matcher[]): (labels: Readonly<Record<string, string>>) => boolean {
  const tests = matchers.map(({ name, op, value }) => {
    const fits = test(op, value)
    return (labels: Readonly<Record<string, string>>): boolean => fits(Object.hasOwn(labels, name) ? labels[name]! : '')
  })
  return (labels) => tests.every((one) => one(labels))
}

function test(op: Matcher['op'], value: string): (label: string) => boolean {
  if (op === '=') return (label) => label === value
  if (op === '!=') return (label) => label !== value
  const regex = wholeTextMatcher(value)
  if ('mistake' in regex) return () => false
  return op === '=~' ? regex.matches : (label) => !regex.matches(label)
}
