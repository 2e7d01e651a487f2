/**
 * The commands with which a person checks the deciding numbers. One command often checks several: it is printed once, with all it should
 * show, and every sentence whose number it checks points at it.
 */
import type { Attribution, Check } from '../../attribution/attribution.ts'
import type { Block, Command } from '../message.ts'

/**
 * Log-odds from which on an observation decides: less moves the odds by a third at most (engine.md §3.5: exp(0.6 x 0.5) = 1.35), and
 * nobody should spend time at night on checking it.
 */
const DECIDES = 0.5

export interface Checks {
  readonly block: Block
  /** " [2]" behind a sentence whose command is printed as number 2; nothing behind others. */
  readonly mark: (check: Check | undefined) => string
}

/** @param say writes times of day; @param limit how many commands there is room for */
export function checksOf(attribution: Attribution, say: (text: string) => string, limit: number): Checks {
  const all: { readonly command: string; readonly expect: string[] }[] = []
  const needed = new Set<string>()
  for (const { command, expect, needs } of inOrder(attribution)) {
    const known = all.find((one) => one.command === command)
    const one = known ?? { command, expect: [] }
    if (known === undefined) all.push(one)
    if (needs !== undefined && !needed.has(needs)) one.expect.push(say(needs))
    if (needs !== undefined) needed.add(needs)
    const says = say(expect)
    if (!one.expect.includes(says)) one.expect.push(says)
  }
  const items = all.slice(0, limit).map((one, i): Command => ({ number: i + 1, ...one }))
  return {
    block: { kind: 'commands', title: 'Check it yourself (read-only)', items, left: Math.max(0, all.length - limit) },
    mark: (check) => {
      const item = items.find(({ command }) => command === check?.command)
      return item === undefined ? '' : ` [${item.number}]`
    },
  }
}

/** First what the verdict rests on, then what excludes others, then what speaks against it. */
function inOrder({ supporting, opposing, ruledOut }: Attribution): Check[] {
  const deciding = (all: Attribution['supporting']) =>
    all.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).filter(({ weight }) => Math.abs(weight) >= DECIDES)
  return [...deciding(supporting), ...ruledOut, ...deciding(opposing)].map(({ check }) => check).filter((check) => check !== undefined)
}
