/**
 * What a pure room may not touch. Globals need no import, so the tree is read for them: the clock, chance, the process, the
 * network, timers, and everything whose result depends on the machine's zone or language.
 */
import type { Node } from 'oxc-parser'

/** Objects of the outside world: any use is one too many. */
const worlds = new Set(['process', 'console', 'performance', 'globalThis', 'global', 'navigator', 'localStorage', 'crypto'])

/** Called by name. */
const doors = new Set(['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'require', 'eval'])

/** `object.property`, as written. */
const members = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout', 'Atomics.wait'])

/** Methods that read the zone or the language of the machine. */
const local =
  /^(get(Full)?(Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset|toLocale\w*String|toLocale\w+Case|localeCompare|to(Date|Time)String)$/

/** Chance and entropy of node:crypto, the one builtin that pure rooms may import. */
export const chance = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'webcrypto', 'randomFillSync'])

/** d3 functions that use the machine's zone; their utc twins do not. */
export const localD3 = new Set(['timeFormat', 'timeParse', 'scaleTime'])

/** @returns one line per offence, in the order of the text. */
export function impurities(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'MetaProperty' && node.meta.name === 'import') return ['import.meta']
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const { callee } = node
      if (callee.type === 'Identifier') {
        if (doors.has(callee.name)) return [`${callee.name}()`]
        if (callee.name === 'Date' && (node.type === 'CallExpression' || node.arguments.length === 0)) return ['Date() without a time']
      }
    }
    if (node.type !== 'MemberExpression') return []
    const property = node.computed || node.property.type !== 'Identifier' ? '' : node.property.name
    if (node.object.type === 'Identifier') {
      if (worlds.has(node.object.name)) return [`${node.object.name}.${property}`]
      if (members.has(`${node.object.name}.${property}`)) return [`${node.object.name}.${property}`]
    }
    return local.test(property) ? [`.${property}() depends on the machine's zone or language`] : []
  })
}
