/**
 * A folder of small files, read and nothing else: the narrow door behind which a file system stands today and an object store can
 * stand later. Every call can be aborted, is capped in bytes and counted; none is made in this process (`folder-process.ts` says why).
 */
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Traffic } from '../incident/findings.ts'
import type { Ask, FileState, Told } from './folder-child.ts'
import { askProcess } from './folder-process.ts'

export interface Listed {
  readonly name: string
  /** Time of the last write; whole milliseconds. */
  readonly modifiedMs: number
  readonly bytes: number
}

export interface Text {
  readonly text: string
  readonly modifiedMs: number
  /** The file goes on after the cap. */
  readonly cut: boolean
}

export interface Failure {
  /**
   * `gone` = no such file or folder: normal for files that are purged between list and read; `lost` = the process that reads could
   * not be started, or died.
   */
  readonly kind: 'gone' | 'forbidden' | 'stopped' | 'lost' | 'odd'
  /** Completes "… : <why>". */
  readonly why: string
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export interface Folder {
  /** The address as it was given. */
  readonly address: string
  /** Names in a folder below this one ('' = itself), in no order. */
  readonly names: (below: string, signal: AbortSignal) => Promise<Answer<readonly string[]>>
  /** When a file was last written. */
  readonly modified: (path: string, signal: AbortSignal) => Promise<Answer<Listed>>
  /** The first `capBytes` of a file as UTF-8. */
  readonly read: (path: string, capBytes: number, signal: AbortSignal) => Promise<Answer<Text>>
  /** Up to `length` bytes of a file from `from` on. */
  readonly part: (path: string, from: number, length: number, signal: AbortSignal) => Promise<Answer<Buffer>>
  readonly traffic: () => Traffic
}

/** `/path`, `path`, `file:/path` and `file:///path`; null for any other scheme. */
export function localPath(address: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined) return address
  if (scheme !== 'file') return null
  try {
    return fileURLToPath(address)
  } catch {
    return null
  }
}

/** Reason for an address that cannot be looked at; null where it can. */
export function unsupported(address: string): string | null {
  if (localPath(address) !== null) return null
  const scheme = /^[^:]+/.exec(address)?.[0] ?? address
  return `addresses with ${scheme}: are not supported yet, only folders that this machine can reach as files`
}

export function openFolder(address: string): Folder | null {
  const root = localPath(address)
  if (root === null) return null
  const trimmed = root.replace(/(?<=.)\/+$/, '')
  const base = isAbsolute(trimmed) ? trimmed : `${process.cwd()}/${trimmed}`
  const counted = { requests: 0, bytes: 0 }
  const at = (below: string) => (below === '' ? base : `${base}/${below}`)
  // Where the process could not be started, or died, a hundred further reads would each start another one in vain.
  let lost: Failure | null = null
  const ask = async (question: Ask, signal: AbortSignal, take: (told: Told) => void): Promise<Failure | null> => {
    counted.requests++
    if (lost !== null) return lost
    const ended = await askProcess(base, question, signal, take)
    if (ended.how === 'lost') lost = { kind: 'lost', why: ended.why }
    return ended.how === 'told' ? null : ended.how === 'failed' ? failureOf(ended.code) : ended.how === 'stopped' ? stopped : lost
  }
  return {
    address,
    names: async (below, signal) => {
      const names: string[] = []
      const failure = await ask({ what: 'names', path: at(below) }, signal, (told) => {
        if ('names' in told) names.push(...told.names)
      })
      return failure === null ? { ok: true, value: names } : { ok: false, failure }
    },
    modified: async (path, signal) => {
      let state: FileState | undefined
      const failure = await ask({ what: 'state', path: at(path) }, signal, (told) => {
        if ('state' in told) state = told.state
      })
      return failure === null ? { ok: true, value: { name: path, ...state! } } : { ok: false, failure }
    },
    read: async (path, capBytes, signal) => {
      const pieces: Uint8Array[] = []
      let state: FileState | undefined
      const failure = await ask({ what: 'head', path: at(path), cap: capBytes }, signal, (told) => {
        if ('state' in told) state = told.state
        else if ('bytes' in told) {
          counted.bytes += told.bytes.length
          pieces.push(told.bytes)
        }
      })
      if (failure !== null) return { ok: false, failure }
      const { modifiedMs, bytes } = state!
      return { ok: true, value: { text: Buffer.concat(pieces).toString('utf8'), modifiedMs, cut: bytes > capBytes } }
    },
    part: async (path, from, length, signal) => {
      const buffer = Buffer.allocUnsafe(length)
      let filled = 0
      const failure = await ask({ what: 'part', path: at(path), from, length }, signal, (told) => {
        if (!('bytes' in told)) return
        counted.bytes += told.bytes.length
        buffer.set(told.bytes, filled)
        filled += told.bytes.length
      })
      return failure === null ? { ok: true, value: buffer.subarray(0, filled) } : { ok: false, failure }
    },
    traffic: () => ({ to: `files ${address}`, ...counted }),
  }
}

const stopped: Failure = { kind: 'stopped', why: 'the time for it ran out' }

function failureOf(code: string): Failure {
  if (code === 'ENOENT') return { kind: 'gone', why: 'there is no such file or folder' }
  if (code === 'ENOTDIR') return { kind: 'odd', why: 'it is a file where a folder is expected' }
  if (code === 'EISDIR') return { kind: 'odd', why: 'it is a folder where a file is expected' }
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'forbidden', why: 'permission denied' }
  return { kind: 'odd', why: code }
}

/** Runs `work` over all items, at most `width` at a time; results in the order of the items. */
export async function several<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const lane = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  return results
}
