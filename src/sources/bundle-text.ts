/** How evidence becomes text: keys in the order of the schema (unknown ones after them, by name), numbers as they are. */
import { z } from 'zod'
import type { Evidence, Series } from '../incident/evidence.ts'

/** Series that share a time axis name it (`grid`) instead of repeating it: most of a bundle would otherwise be times. */
export function shareAxes(evidence: Evidence): unknown {
  const users = new Map<string, number>()
  const axis = (series: Series) => series.t.join(',')
  for (const series of evidence.series) users.set(axis(series), (users.get(axis(series)) ?? 0) + 1)
  const names = new Map<string, string>()
  const grids: Record<string, readonly number[]> = {}
  const series = evidence.series.map(({ t, ...rest }) => {
    const key = t.join(',')
    if (t.length < 2 || users.get(key) === 1) return { ...rest, t }
    const name = names.get(key) ?? `g${names.size + 1}`
    names.set(key, name)
    grids[name] = t
    return { ...rest, grid: name }
  })
  return names.size === 0 ? { ...evidence, series } : { ...evidence, grids, series }
}

/** The document with one line per element of its lists, so that two bundles can be compared line by line. */
export function canonicalLines(schema: z.ZodType, value: unknown): string {
  const lines = entries(schema, value as object).map(([key, part, partSchema]) => {
    const name = JSON.stringify(key)
    if (!Array.isArray(part) || part.length === 0) return `${name}:${canonical(partSchema, part)}`
    return `${name}:[\n${part.map((item) => canonical(elementOf(partSchema), item)).join(',\n')}\n]`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

function canonical(schema: z.ZodType | undefined, value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(elementOf(schema), item)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${entries(schema, value)
      .map(([key, part, partSchema]) => `${JSON.stringify(key)}:${canonical(partSchema, part)}`)
      .join(',')}}`
  }
  // A source that computes NaN or infinity has a fault; written as null it would pass for a missing sample.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no reading`)
  return JSON.stringify(value)
}

type Entry = readonly [key: string, value: unknown, schema: z.ZodType | undefined]

function entries(schema: z.ZodType | undefined, value: object): Entry[] {
  const plain = plainOf(schema)
  const shape: Readonly<Record<string, z.ZodType>> = plain instanceof z.ZodObject ? plain.shape : {}
  const valueSchema = plain instanceof z.ZodRecord ? (plain.valueType as z.ZodType) : undefined
  const known = Object.keys(shape).filter((key) => Object.hasOwn(value, key))
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key))
  const all = [...known, ...unknown.sort(byNumberThenName)]
  return all
    .map((key): Entry => [key, (value as Record<string, unknown>)[key], shape[key] ?? valueSchema])
    .filter(([, part]) => part !== undefined)
}

function byNumberThenName(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isFinite(x) && Number.isFinite(y) && x !== y) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}

function elementOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const plain = plainOf(schema)
  return plain instanceof z.ZodArray ? (plain.element as z.ZodType) : undefined
}

/** The schema under its wrappings: optional, nullable, with a transform behind it. */
function plainOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return plainOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return plainOf(schema.in as z.ZodType)
  return schema
}
