/** One text for equal values, whatever the order of their keys: what is merged is sorted by it, so that the order of arrival cannot matter. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** Values in canonical order, equal ones once. */
export function distinct<T>(values: readonly T[]): T[] {
  const byText = new Map<string, T>()
  for (const value of values) {
    const text = canonical(value)
    if (!byText.has(text)) byText.set(text, value)
  }
  return [...byText].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, value]) => value)
}
