/** Turns what zod says about a value into mistakes a person can act on: what is there, what would be right, and where. */
import type { Document, LineCounter } from 'yaml'
import type { z } from 'zod'
import { didYouMean } from '../incident/did-you-mean.ts'
import type { Mistake } from './mistake.ts'
import { keysAt } from './schema.ts'
import { positionOf } from './yaml-positions.ts'

type Path = readonly (string | number)[]

/** The text a value came from: enough to point at it. */
export interface Origin {
  readonly doc: Document
  readonly lines: LineCounter
  /** The whole file as plain values. */
  readonly root: unknown
}

/** @param base where in the file the value stands that was checked */
export function mistakesOf(issues: readonly z.core.$ZodIssue[], base: Path, origin: Origin): Mistake[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path as (string | number)[])]
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, origin))
    const value = valueAt(origin.root, path)
    if (value === undefined) return [missing(path, issue.message, origin)]
    // Who wrote a secret in the place of a variable's name must not read it again in a log.
    const what = /_env$/.test(String(path.at(-1))) ? 'this' : shown(value)
    return [mistake(path, `${what} does not fit here`, issue.message, origin)]
  })
}

export function mistake(path: Path, what: string, right: string, origin: Origin, aim: 'key' | 'value' = 'value'): Mistake {
  return { path, at: positionOf(origin.doc, origin.lines, path, aim), what, right }
}

export function missing(path: Path, right: string, origin: Origin): Mistake {
  return { path, at: positionOf(origin.doc, origin.lines, path.slice(0, -1), 'key'), what: 'is missing', right }
}

/** Keys under which people put the secret itself. */
const secretKeys = ['password', 'secret', 'token']

function unknownKey(key: string, parent: Path, origin: Origin): Mistake {
  const known = keysAt(parent)
  const path = [...parent, key]
  if (secretKeys.includes(key.toLowerCase())) {
    const right = `keep it in an environment variable and name that here: ${variableLine(key.toLowerCase(), known, parent)}`
    return mistake(path, 'a secret does not belong in this file', right, origin, 'key')
  }
  const meant = didYouMean(key, known)
  const right = meant === null ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`
  return mistake(path, 'unknown key', right, origin, 'key')
}

/** `password_env: KAFKA_PASSWORD`, with the key that is known at this place. */
function variableLine(key: string, known: readonly string[], parent: Path): string {
  const line = known.find((one) => one === `${key}_env`) ?? known.find((one) => one.endsWith('_env')) ?? `${key}_env`
  const whose = parent.at(-1) === 'sasl' ? 'kafka' : String(parent.at(-1) ?? 'headwater')
  return `${line}: ${whose.toUpperCase().replace(/\W/g, '_')}_${key.toUpperCase()}`
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | null | undefined)?.[key], root)
}

/** The value in a few characters: what is wrong with it must be visible, not all of it, and never a login inside an address. */
export function shown(value: unknown): string {
  if (value === null) return 'an empty value'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return 'a group of keys'
  if (value === '') return 'an empty text'
  const text = JSON.stringify(value).replace(/^".*@/, '"…@')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
