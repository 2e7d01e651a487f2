/** Reading values that came over the wire: whatever has another shape reads as empty, and the checks say so elsewhere. */

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** @returns the parsed value; undefined = not JSON */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The fields that are not undefined: Slack leaves out what is not there. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
