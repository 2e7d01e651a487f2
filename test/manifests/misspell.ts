/** A file with one key misspelt, for each of its keys: a check that lets one of them pass is not a check. */

export interface Misspelt {
  /** e.g. "spec.template.spec.containers.0.imagex". */
  readonly path: string
  readonly value: unknown
}

export function misspellings(value: unknown, path: readonly string[] = []): Misspelt[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const rebuilt = (changed: readonly (readonly [string, unknown])[]): unknown =>
    Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed)
  const own = Array.isArray(value)
    ? []
    : entries.map(([key], i) => ({
        path: [...path, `${key}x`].join('.'),
        value: rebuilt(entries.map(([name, one], k) => (k === i ? [`${name}x`, one] : [name, one]))),
      }))
  const deeper = entries.flatMap(([key, one], i) =>
    misspellings(one, [...path, key]).map((inner) => ({
      path: inner.path,
      value: rebuilt(entries.map(([name, other], k) => (k === i ? [name, inner.value] : [name, other]))),
    })),
  )
  return [...own, ...deeper]
}
