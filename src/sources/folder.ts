/**
 * A folder of small files, read and nothing else: the narrow door behind which a file system stands today and an object store can
 * stand later. Every call can be aborted, is capped in bytes and counted.
 */
import type { FileHandle } from 'node:fs/promises'
import { open, readdir, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Traffic } from '../incident/findings.ts'

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
  /** `gone` = no such file or folder: normal for files that are purged between list and read. */
  readonly kind: 'gone' | 'forbidden' | 'stopped' | 'odd'
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
  const base = root.replace(/(?<=.)\/+$/, '')
  const counted = { requests: 0, bytes: 0 }
  const at = (below: string) => (below === '' ? base : `${base}/${below}`)
  const ask = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<Answer<T>> => {
    counted.requests++
    return untilStopped(signal, work)
  }
  return {
    address,
    names: (below, signal) => ask(signal, () => readdir(at(below))),
    modified: (path, signal) =>
      ask(signal, async () => {
        const { mtimeMs, size } = await stat(at(path))
        return { name: path, modifiedMs: Math.round(mtimeMs), bytes: size }
      }),
    read: (path, capBytes, signal) =>
      ask(signal, async () => {
        const text = await readHead(at(path), capBytes)
        counted.bytes += text.bytes
        return text
      }),
    part: (path, from, length, signal) =>
      ask(signal, async () => {
        const part = await readPart(at(path), from, length)
        counted.bytes += part.length
        return part
      }),
    traffic: () => ({ to: `files ${address}`, ...counted }),
  }
}

async function readHead(path: string, capBytes: number): Promise<Text & { bytes: number }> {
  const file = await open(path, 'r')
  try {
    const { size, mtimeMs } = await file.stat()
    const buffer = await fill(file, 0, Math.min(size, capBytes))
    return { text: buffer.toString('utf8'), modifiedMs: Math.round(mtimeMs), cut: size > capBytes, bytes: buffer.length }
  } finally {
    await file.close()
  }
}

async function readPart(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    return await fill(file, from, length)
  } finally {
    await file.close()
  }
}

/** A read may return less than was asked for; the file may also have shrunk meanwhile. */
async function fill(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** A file system that hangs (a lost network mount) never answers: the wait ends with the signal, the call is left to itself. */
async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<Answer<T>> {
  if (signal.aborted) return { ok: false, failure: stopped }
  let stop = (): void => {}
  const ended = new Promise<Answer<T>>((resolve) => {
    stop = () => resolve({ ok: false, failure: stopped })
    signal.addEventListener('abort', stop, { once: true })
  })
  const answered = work().then(
    (value): Answer<T> => ({ ok: true, value }),
    (cause: unknown): Answer<T> => ({ ok: false, failure: failureOf(cause) }),
  )
  try {
    return await Promise.race([answered, ended])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const stopped: Failure = { kind: 'stopped', why: 'the time for it ran out' }

function failureOf(cause: unknown): Failure {
  const code = typeof cause === 'object' && cause !== null ? (cause as { code?: unknown }).code : undefined
  if (code === 'ENOENT') return { kind: 'gone', why: 'there is no such file or folder' }
  if (code === 'ENOTDIR') return { kind: 'odd', why: 'it is a file where a folder is expected' }
  if (code === 'EISDIR') return { kind: 'odd', why: 'it is a folder where a file is expected' }
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'forbidden', why: 'permission denied' }
  return { kind: 'odd', why: typeof code === 'string' ? code : cause instanceof Error ? cause.message : 'unknown error' }
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
