/**
 * Small checks that are put together to the shape of a block. Each says what is wrong in Slack's words and where (JSON pointer).
 * The words are those that people quote from real answers; Slack documents none of them.
 */
import { isFields } from '../json.ts'

export interface Problem {
  readonly message: string
  /** JSON pointer below the checked value, e.g. "/0/text/text". */
  readonly pointer: string
  /** As blocks.validate names what failed; null = the shape itself. */
  readonly constraint: { readonly type: string; readonly expected: unknown; readonly got?: unknown } | null
}

export type Check = (value: unknown, pointer: string) => Problem[]

export function problem(message: string, pointer: string, constraint: Problem['constraint'] = null): Problem {
  return { message, pointer, constraint }
}

/** A string of so many characters (UTF-16, the stricter count). */
export function string(limits: { readonly min?: number; readonly max?: number } = {}): Check {
  return (value, pointer) => {
    if (typeof value !== 'string') return [problem('must provide a string', pointer)]
    const { min = 0, max = Number.POSITIVE_INFINITY } = limits
    const got = value.length
    if (got < min) return [problem(`must be more than ${min - 1} characters`, pointer, { type: 'min_length', expected: min, got })]
    if (got > max) return [problem(`must be less than ${max + 1} characters`, pointer, { type: 'max_length', expected: max, got })]
    return []
  }
}

export function url(max: number): Check {
  const length = string({ min: 1, max })
  return (value, pointer) => {
    const problems = length(value, pointer)
    if (problems.length > 0) return problems
    return /^(https?|mailto):/i.test(value as string) && URL.canParse(value as string) ? [] : [problem('Invalid URL', pointer)]
  }
}

export function pattern(shape: RegExp, message: string): Check {
  return (value, pointer) => (typeof value === 'string' && shape.test(value) ? [] : [problem(message, pointer)])
}

export function word(...allowed: readonly string[]): Check {
  return (value, pointer) =>
    allowed.includes(value as string)
      ? []
      : [problem(`must be one of: ${allowed.join(', ')}`, pointer, { type: 'enum', expected: allowed, got: value })]
}

export const flag: Check = (value, pointer) => (typeof value === 'boolean' ? [] : [problem('must provide a boolean', pointer)])

export const number: Check = (value, pointer) =>
  typeof value === 'number' && Number.isFinite(value) ? [] : [problem('must provide a number', pointer)]

export function whole(min: number, max: number): Check {
  return (value, pointer) => {
    if (!Number.isInteger(value)) return [problem('must provide an integer', pointer)]
    const inside = (value as number) >= min && (value as number) <= max
    return inside ? [] : [problem(`must be between ${min} and ${max}`, pointer, { type: 'range', expected: [min, max], got: value })]
  }
}

export function list(item: Check, limits: { readonly min?: number; readonly max?: number } = {}): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return [problem('must provide an array', pointer)]
    const { min = 0, max = Number.POSITIVE_INFINITY } = limits
    const got = value.length
    if (got < min) return [problem(`no fewer than ${min} items allowed`, pointer, { type: 'min_items', expected: min, got })]
    if (got > max) return [problem(`no more than ${max} items allowed`, pointer, { type: 'max_items', expected: max, got })]
    return value.flatMap((one, place) => item(one, `${pointer}/${place}`))
  }
}

export interface Shape {
  readonly required?: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
  /** What holds between fields, asked only when each field is right. */
  readonly also?: (value: Readonly<Record<string, unknown>>, pointer: string) => Problem[]
}

export function object(shape: Shape): Check {
  const { required = {}, optional = {}, also } = shape
  const known: Readonly<Record<string, Check>> = { ...required, ...optional }
  return (value, pointer) => {
    if (!isFields(value)) return [problem('must provide an object', pointer)]
    const missing = Object.keys(required).filter((name) => value[name] === undefined || value[name] === null)
    const extra = Object.keys(value).filter((name) => !Object.hasOwn(known, name))
    const problems = [
      ...missing.map((name) => problem(`missing required field: ${name}`, pointer)),
      ...extra.map((name) => problem(`invalid additional property: ${name}`, pointer)),
      ...Object.entries(value).flatMap(([name, one]) =>
        Object.hasOwn(known, name) && one !== undefined && one !== null ? known[name]!(one, `${pointer}/${name}`) : [],
      ),
    ]
    return problems.length > 0 || also === undefined ? problems : also(value, pointer)
  }
}

/** An object whose `type` says which check it has to pass. `kinds` is asked late, so that shapes may contain each other. */
export function byType(kinds: () => Readonly<Record<string, Check>>): Check {
  return (value, pointer) => {
    if (!isFields(value)) return [problem('must provide an object', pointer)]
    if (value.type === undefined) return [problem('missing required field: type', pointer)]
    const all = kinds()
    const { type } = value
    if (typeof type !== 'string') return [problem('must provide a string', `${pointer}/type`)]
    if (!Object.hasOwn(all, type)) {
      return [problem(`unsupported type: ${type}`, `${pointer}/type`, { type: 'enum', expected: Object.keys(all), got: type })]
    }
    return all[type]!(value, pointer)
  }
}

/** Both have to hold; the second is asked only where the first does. */
export function both(first: Check, second: Check): Check {
  return (value, pointer) => {
    const problems = first(value, pointer)
    return problems.length > 0 ? problems : second(value, pointer)
  }
}
