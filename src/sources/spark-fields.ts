/**
 * Reading fields out of Spark's JSON without trusting it: versions add, drop and omit fields, and a list may hold one odd entry.
 * A field of another type counts as absent; nothing here throws.
 */
export type Fields = Readonly<Record<string, unknown>>

/** The entries of a list that are objects; anything else is dropped. Null = the body is not a list at all. */
export function entries(body: unknown): Fields[] | null {
  return Array.isArray(body) ? body.filter(isFields) : null
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsAt(from: Fields | undefined, key: string): Fields | undefined {
  const value = from?.[key]
  return isFields(value) ? value : undefined
}

export function numberAt(from: Fields | undefined, key: string): number | undefined {
  const value = from?.[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A count that cannot be negative. */
export function countAt(from: Fields | undefined, key: string): number {
  const value = numberAt(from, key)
  return value === undefined || value < 0 ? 0 : value
}

export function textAt(from: Fields | undefined, key: string): string | undefined {
  const value = from?.[key]
  return typeof value === 'string' ? value : undefined
}

export function numbersAt(from: Fields | undefined, key: string): number[] {
  const value = from?.[key]
  return Array.isArray(value) ? value.filter((entry): entry is number => typeof entry === 'number' && Number.isFinite(entry)) : []
}

export function textsAt(from: Fields | undefined, key: string): string[] {
  const value = from?.[key]
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

/** Spark writes "2026-11-30T02:40:07.123GMT". Epoch ms; absent for what is no date and for "never" (1969-12-31T23:59:59.999). */
export function instantAt(from: Fields | undefined, key: string): number | undefined {
  const text = textAt(from, key)
  if (text === undefined) return undefined
  const ms = Date.parse(text.replace(/GMT$/, 'Z'))
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms
}

/** Spark's CPU times are nanoseconds. */
export const nsToMs = (ns: number): number => ns / 1e6
