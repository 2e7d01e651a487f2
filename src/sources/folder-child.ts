/**
 * The process that calls into a file system, so that the one that asks never does: a call into a lost network mount cannot be taken
 * back, and whoever made it cannot even exit before it returns. Started by `folder-process.ts`, one for each folder; what it is asked
 * and what it tells goes over its channel, and it ends with that channel. It imports nothing of this program: it is to start soon.
 */
import type { FileHandle } from 'node:fs/promises'
import { open, readdir, stat } from 'node:fs/promises'

/** Bytes and names of one message: what is held here at a time, however long the file or the folder. */
const PIECE_BYTES = 262_144
const PIECE_NAMES = 4_096

/** All paths are absolute. */
export type Ask =
  | { readonly what: 'names'; readonly path: string }
  | { readonly what: 'state'; readonly path: string }
  /** The state, then the first `cap` bytes of what the file holds at that moment. */
  | { readonly what: 'head'; readonly path: string; readonly cap: number }
  | { readonly what: 'part'; readonly path: string; readonly from: number; readonly length: number }

export interface FileState {
  readonly modifiedMs: number
  readonly bytes: number
}

/** A portion of the answer. */
export type Told = { readonly names: readonly string[] } | { readonly state: FileState } | { readonly bytes: Uint8Array }

export interface Asked {
  readonly id: number
  readonly ask: Ask
}

export type Reply =
  | { readonly id: number; readonly told: Told }
  /** The last one: nothing is left to tell, or the code of the file system's error (its message where it has no code). */
  | { readonly id: number; readonly failed: string | null }

type Tell = (told: Told) => Promise<void>

/** Resolves when the message has left, so that nothing piles up while the other side is busy. */
function reply(message: Reply): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}

async function answer({ id, ask }: Asked): Promise<void> {
  try {
    await look(ask, (told) => reply({ id, told }))
    await reply({ id, failed: null })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    await reply({ id, failed: code ?? message })
  }
}

async function look(ask: Ask, tell: Tell): Promise<void> {
  if (ask.what === 'names') {
    const names = await readdir(ask.path)
    for (let at = 0; at < names.length; at += PIECE_NAMES) await tell({ names: names.slice(at, at + PIECE_NAMES) })
    return
  }
  if (ask.what === 'state') {
    await tell({ state: stateOf(await stat(ask.path)) })
    return
  }
  const file = await open(ask.path, 'r')
  try {
    if (ask.what === 'part') await tellBytes(file, ask.from, ask.length, tell)
    else {
      const state = stateOf(await file.stat())
      await tell({ state })
      await tellBytes(file, 0, Math.min(state.bytes, ask.cap), tell)
    }
  } finally {
    await file.close()
  }
}

/** A read may return less than was asked for; the file may also have shrunk meanwhile. */
async function tellBytes(file: FileHandle, from: number, length: number, tell: Tell): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(length, PIECE_BYTES))
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), from + at)
    if (bytesRead === 0) return
    await tell({ bytes: buffer.subarray(0, bytesRead) })
    at += bytesRead
  }
}

function stateOf({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): FileState {
  return { modifiedMs: Math.round(mtimeMs), bytes: size }
}

process.on('message', (asked: Asked) => void answer(asked))
// Whoever asked is gone. An exit would wait for the calls that hang.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
