/** The script of faults: rules that a test switches on and off, tried in the order they were added. */
import type { Chance } from '../chance.ts'
import type { Fields } from '../json.ts'
import type { CallFault, DeliveryFault, Fault, Rule } from './fault.ts'

export interface FaultScript {
  readonly add: (...rules: readonly Rule[]) => void
  readonly clear: () => void
  /** @returns the fault of the first rule that strikes; null = all is well */
  readonly strike: (on: string, about: Fields) => Fault | null
  /** What struck so far, oldest first. */
  readonly struck: () => readonly { readonly on: string; readonly fault: Fault }[]
}

interface Running {
  readonly rule: Rule
  passed: number
  struck: number
}

export function faultScript(chance: Chance): FaultScript {
  let running: Running[] = []
  const struck: { on: string; fault: Fault }[] = []
  return {
    add: (...rules) => {
      running.push(...rules.map((rule) => ({ rule, passed: 0, struck: 0 })))
    },
    clear: () => {
      running = []
    },
    strike(on, about) {
      for (const one of running) {
        if (!matches(one.rule.on, on) || one.rule.where?.(about) === false) continue
        if (one.struck >= (one.rule.times ?? 1)) continue
        if (one.passed < (one.rule.skip ?? 0)) {
          one.passed += 1
          continue
        }
        if (chance.draw() >= (one.rule.chance ?? 1)) continue
        one.struck += 1
        struck.push({ on, fault: one.rule.fault })
        return one.rule.fault
      }
      return null
    },
    struck: () => [...struck],
  }
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

/**
 * Everything at once, each with this chance per call: for runs of many incidents.
 * @param chance 0…1
 */
export function storm(chance: number): Rule[] {
  const always = { times: Number.POSITIVE_INFINITY, chance }
  const calls: readonly CallFault[] = [
    { kind: 'rate_limit', seconds: 1 },
    { kind: 'status', status: 500, after: 'nothing' },
    { kind: 'status', status: 503, after: 'work' },
    { kind: 'cut', after: 'work' },
    { kind: 'cut', after: 'nothing' },
    { kind: 'late', ms: 3_000, after: 'work' },
    { kind: 'late', ms: 60_000, after: 'work' },
    { kind: 'late', ms: 60_000, after: 'nothing' },
    { kind: 'refuse', error: 'internal_error' },
  ]
  const deliveries: readonly DeliveryFault[] = [
    { kind: 'double' },
    { kind: 'after_next' },
    { kind: 'late', ms: 2_000 },
    { kind: 'lose_ack' },
  ]
  return [
    ...calls.map((fault) => ({ on: 'chat.*', fault, ...always })),
    ...calls.map((fault) => ({ on: 'files.*', fault, ...always })),
    ...calls.map((fault) => ({ on: 'conversations.*', fault, ...always })),
    { on: 'chat.postMessage', fault: { kind: 'twice' }, ...always },
    ...deliveries.map((fault) => ({ on: 'deliver.*', fault, ...always })),
  ]
}
