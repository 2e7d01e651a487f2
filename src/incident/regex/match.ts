/**
 * Matches a whole text in time proportional to its length times the size of the pattern, whatever both are: all ways through the
 * pattern are followed at once, character by character, and none is ever tried again (Thompson 1968; Cox, "Regular Expression
 * Matching Can Be Simple And Fast"). JavaScript's own matcher goes back and tries again, and a label's value could hold it for hours.
 */
import type { CodePoints } from './characters.ts'
import type { Regex } from './parse.ts'
import { parseRegex } from './parse.ts'

/** Longest pattern, in characters, and its size once repetitions are written out. */
const longest = 1_000

type Step =
  | { readonly kind: 'one'; readonly has: CodePoints; readonly next: number }
  | { readonly kind: 'between'; readonly holds: (before: number | null, after: number | null) => boolean; readonly next: number }
  | { readonly kind: 'fork'; a: number; readonly b: number }
  | { readonly kind: 'end' }

/** @returns whether a whole text matches, as a question to ask; or in a few words what is wrong with the pattern */
export function wholeTextMatcher(pattern: string): { readonly matches: (text: string) => boolean } | { readonly mistake: string } {
  if (pattern.length > longest) return { mistake: `more than ${longest} characters` }
  const parsed = parseRegex(pattern)
  if ('mistake' in parsed) return parsed
  if (size(parsed.regex) > longest) return { mistake: `repetitions that make more than ${longest} steps` }
  const steps: Step[] = [{ kind: 'end' }]
  const start = write(parsed.regex, 0, steps)
  return { matches: (text) => run(steps, start, text) }
}

function size(regex: Regex): number {
  switch (regex.kind) {
    case 'sequence':
    case 'either':
      return regex.parts.reduce((sum, part) => sum + size(part), regex.parts.length)
    case 'repeat':
      return (size(regex.of) + 1) * Math.max(1, regex.most === Number.POSITIVE_INFINITY ? regex.least + 1 : regex.most)
    default:
      return 1
  }
}

/** Writes the steps of a part that goes on at `next`. @returns where it begins */
function write(regex: Regex, next: number, steps: Step[]): number {
  switch (regex.kind) {
    case 'one':
      return steps.push({ kind: 'one', has: regex.has, next }) - 1
    case 'between':
      return steps.push({ kind: 'between', holds: regex.holds, next }) - 1
    case 'sequence':
      return regex.parts.reduceRight((after, part) => write(part, after, steps), next)
    case 'either':
      return regex.parts.map((part) => write(part, next, steps)).reduceRight((b, a) => steps.push({ kind: 'fork', a, b }) - 1)
    case 'repeat': {
      let begin = next
      if (regex.most === Number.POSITIVE_INFINITY) {
        const loop: Step = { kind: 'fork', a: next, b: next }
        begin = steps.push(loop) - 1
        loop.a = write(regex.of, begin, steps)
      } else {
        for (let i = regex.least; i < regex.most; i++) begin = steps.push({ kind: 'fork', a: write(regex.of, begin, steps), b: next }) - 1
      }
      for (let i = 0; i < regex.least; i++) begin = write(regex.of, begin, steps)
      return begin
    }
  }
}

function run(steps: readonly Step[], start: number, text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  let standing = reached(steps, [start], null, points[0] ?? null)
  for (let i = 0; i < points.length && standing.length > 0; i++) {
    const point = points[i]!
    const onward = standing.flatMap((at) => {
      const step = steps[at]!
      return step.kind === 'one' && step.has(point) ? [step.next] : []
    })
    standing = reached(steps, onward, point, points[i + 1] ?? null)
  }
  return standing.includes(0)
}

/** The steps that can be reached from these without a character, each once. */
function reached(steps: readonly Step[], from: readonly number[], before: number | null, after: number | null): number[] {
  const seen = new Set<number>()
  const open = [...from]
  while (open.length > 0) {
    const at = open.pop()!
    if (seen.has(at)) continue
    seen.add(at)
    const step = steps[at]!
    if (step.kind === 'fork') open.push(step.a, step.b)
    else if (step.kind === 'between' && step.holds(before, after)) open.push(step.next)
  }
  return [...seen]
}
