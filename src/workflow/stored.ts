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
  return inThisVersion(format, v, value)
}

/** Bytes carry their version in front, in one byte: 1 to 255. */
export function sealBytes({ version }: Format<Uint8Array>, bytes: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(bytes.length + 1)
  sealed[0] = version
  sealed.set(bytes, 1)
  return sealed
}

/** @throws HeadwaterError store_newer, store_mistaken */
export function unsealBytes(format: Format<Uint8Array>, sealed: Uint8Array): Uint8Array {
  const v = sealed[0]
  if (v === undefined) throw foreign(format.name)
  return inThisVersion(format, v, sealed.slice(1))
}

function inThisVersion<T>(format: Format<T>, v: number, value: unknown): T {
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
  throw foreign(name)
}

function foreign(name: string): HeadwaterError {
  return new HeadwaterError('store_mistaken', `${name} in the store was not written by Headwater`)
}
