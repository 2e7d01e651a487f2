/**
 * A value on its way into a store and back. It carries the version of its shape, so that processes of two versions can run side by
 * side while one replaces the other: version N reads what N - 1 wrote and refuses what N + 1 wrote, instead of guessing.
 */
import { HeadwaterError } from '../errors.ts'
import { canonical } from '../incident/canonical.ts'

export interface Format<T> {
  /** For messages, e.g. "an incident". */
  readonly name: string
  readonly version: number
  /** From the shape of `version - 1`; null = there is none yet. */
  readonly upgrade: ((older: unknown) => T) | null
}

/** Equal values have equal texts. */
export function seal<T>(format: Format<T>, value: T): string {
  return `{"v":${format.version},"value":${canonical(value)}}`
}

/** @throws HeadwaterError store_newer, store_mistaken */
export function unseal<T>(format: Format<T>, text: string): T {
  const { v, value } = opened(format.name, text)
  if (v === format.version) return value as T
  if (v === format.version - 1 && format.upgrade !== null) return format.upgrade(value)
  const reads = format.upgrade === null ? `${format.version}` : `${format.version - 1} and ${format.version}`
  const what = `${format.name} was stored in version ${v}; this program reads ${reads}`
  if (v > format.version) throw new HeadwaterError('store_newer', `${what}: a newer Headwater shares this store, update this one`)
  throw new HeadwaterError('store_mistaken', `${what}: start a version between the two once`)
}

function opened(name: string, text: string): { readonly v: number; readonly value: unknown } {
  try {
    const sealed = JSON.parse(text) as { v: unknown; value: unknown } | null
    if (typeof sealed?.v === 'number') return { v: sealed.v, value: sealed.value }
  } catch {
    // Said below: a text that is no JSON was not written by this program either.
  }
  throw new HeadwaterError('store_mistaken', `${name} in the store was not written by Headwater`)
}
