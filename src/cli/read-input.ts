/** A file that a command was given, or its standard input, up to a size that this program is willing to hold. */
import { readFile, stat } from 'node:fs/promises'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Io } from './io.ts'

export interface InputLimit {
  readonly mostBytes: number
  readonly tooLarge: () => HeadwaterError
}

/** @param file "-" = standard input. @throws HeadwaterError file_unreadable, or what the limit says */
export async function readInput(file: string, io: Io, limit: InputLimit): Promise<Uint8Array> {
  if (file === '-') return everything(io.stdin, limit)
  try {
    // A file may be larger than memory: its size is asked before it is read.
    if ((await stat(file)).size > limit.mostBytes) throw limit.tooLarge()
    return await readFile(file)
  } catch (error) {
    if (error instanceof HeadwaterError) throw error
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : code === 'EACCES'
            ? 'not allowed to read it'
            : messageOf(error)
    throw new HeadwaterError('file_unreadable', why, { cause: error })
  }
}

async function everything(stream: AsyncIterable<Uint8Array | string>, limit: InputLimit): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    bytes += part.length
    if (bytes > limit.mostBytes) throw limit.tooLarge()
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}
