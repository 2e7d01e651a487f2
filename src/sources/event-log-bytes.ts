/**
 * The bytes of an event log: plain text, or zstd as Spark 4 writes it by default.
 * Node 24.21's zstd functions return the first frame of a file only, and Spark closes a frame at every flush: so frame by frame.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** Decompressed size of one frame: a guard against a file that is no log. */
const FRAME_CAP = 256_000_000
/** Decode this much, then let others have their turn. */
const TURN_BYTES = 8_000_000

/** Pieces of text of a zstd file. The last frame of a log that is being written is not whole: what it holds still counts. */
export async function* unzstd(bytes: Buffer): AsyncGenerator<Buffer> {
  let at = bytes.indexOf(MAGIC)
  let sincePause = 0
  while (at >= 0 && at < bytes.length) {
    const end = frameEnd(bytes, at)
    const piece = end === null ? await openEnd(bytes.subarray(at)) : decode(bytes.subarray(at, end))
    if (piece !== null) {
      sincePause += piece.length
      yield piece
    }
    if (end === null && piece !== null) return
    // Where nothing came of it, the four bytes were no magic number: this part of the file begins inside a frame.
    at = bytes.indexOf(MAGIC, piece === null ? at + 1 : (end ?? bytes.length))
    if (sincePause > TURN_BYTES) {
      sincePause = 0
      await pause()
    }
  }
}

/** Where the frame that begins at `at` ends, by the sizes in its headers (RFC 8878 §3.1.1); null = not whole, or no frame. */
function frameEnd(bytes: Buffer, at: number): number | null {
  const descriptor = bytes[at + 4]
  if (descriptor === undefined) return null
  const single = (descriptor & 0x20) !== 0
  const checksum = (descriptor & 0x04) !== 0 ? 4 : 0
  const dictionary = [0, 1, 2, 4][descriptor & 0x03] ?? 0
  const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  let block = at + 5 + (single ? 0 : 1) + dictionary + contentSize
  while (block + 3 <= bytes.length) {
    const header = bytes.readUIntLE(block, 3)
    const type = (header >> 1) & 0x03
    if (type === 3) return null
    block += 3 + (type === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return block + checksum <= bytes.length ? block + checksum : null
  }
  return null
}

function decode(frame: Buffer): Buffer | null {
  try {
    return zstdDecompressSync(frame, { maxOutputLength: FRAME_CAP })
  } catch {
    return null
  }
}

/** The whole blocks of a frame whose end has not been written. */
function openEnd(bytes: Buffer): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const stream = createZstdDecompress()
    const done = () => resolve(parts.length === 0 ? null : Buffer.concat(parts))
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', done)
    stream.on('error', done)
    stream.end(bytes)
  })
}

/** Lines that hold `needle` in their first `within` bytes; all others are skipped without being made into text. */
export class LineSieve {
  readonly #needle: Buffer
  readonly #within: number
  #carry: Buffer = Buffer.alloc(0)

  constructor(needle: string, within: number) {
    this.#needle = Buffer.from(needle)
    this.#within = within
  }

  push(piece: Buffer): string[] {
    const bytes = this.#carry.length === 0 ? piece : Buffer.concat([this.#carry, piece])
    const end = bytes.lastIndexOf(10)
    this.#carry = end < 0 ? bytes : Buffer.from(bytes.subarray(end + 1))
    return end < 0 ? [] : this.#linesOf(bytes.subarray(0, end + 1))
  }

  #linesOf(bytes: Buffer): string[] {
    const lines: string[] = []
    for (let at = bytes.indexOf(this.#needle); at >= 0; ) {
      const begin = bytes.lastIndexOf(10, at) + 1
      const end = bytes.indexOf(10, at)
      if (at - begin <= this.#within) lines.push(bytes.toString('utf8', begin, end))
      at = bytes.indexOf(this.#needle, end)
    }
    return lines
  }
}
