/**
 * Kafka's "flexible" encoding (compact strings and arrays, tag buffers): just what our read requests need.
 *
 * A frame comes from a machine that may be ill, or from something that is no broker at all. So the reader never throws, never
 * loops longer than the frame has bytes, and never allocates for a count the frame cannot hold: the first impossible value sets
 * `broken`, every later read gives a zero, and the caller asks `broken` once at the end.
 */

/** Builds a request body. Every method returns the writer, so a body reads like the protocol's own table. */
export class FrameWriter {
  readonly #parts: Buffer[] = []

  int8(value: number): this {
    const part = Buffer.alloc(1)
    part.writeInt8(value)
    return this.#push(part)
  }

  int16(value: number): this {
    const part = Buffer.alloc(2)
    part.writeInt16BE(value)
    return this.#push(part)
  }

  int32(value: number): this {
    const part = Buffer.alloc(4)
    part.writeInt32BE(value)
    return this.#push(part)
  }

  int64(value: number): this {
    const part = Buffer.alloc(8)
    part.writeBigInt64BE(BigInt(value))
    return this.#push(part)
  }

  bool(value: boolean): this {
    return this.int8(value ? 1 : 0)
  }

  uvarint(value: number): this {
    const bytes: number[] = []
    let rest = value
    while (rest > 0x7f) {
      bytes.push((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    bytes.push(rest)
    return this.#push(Buffer.from(bytes))
  }

  /** COMPACT_STRING or COMPACT_NULLABLE_STRING. */
  string(value: string | null): this {
    if (value === null) return this.uvarint(0)
    const bytes = Buffer.from(value)
    return this.uvarint(bytes.length + 1).#push(bytes)
  }

  /** COMPACT_ARRAY; null is written as the protocol's null array. */
  array<T>(items: readonly T[] | null, write: (item: T, writer: this) => void): this {
    if (items === null) return this.uvarint(0)
    this.uvarint(items.length + 1)
    for (const item of items) write(item, this)
    return this
  }

  /** Sixteen zero bytes: "no topic id, go by the name". */
  zeroUuid(): this {
    return this.#push(Buffer.alloc(16))
  }

  /** An empty tag buffer. */
  tags(): this {
    return this.uvarint(0)
  }

  frame(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #push(part: Buffer): this {
    this.#parts.push(part)
    return this
  }
}

/** Reads a response body. See the top of this file: check `broken` when done, not before. */
export class FrameReader {
  readonly #bytes: Buffer
  #at = 0
  #broken: string | null = null

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** What is wrong with the frame; null = nothing so far. */
  get broken(): string | null {
    return this.#broken
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  int8(): number {
    const at = this.#take(1)
    return at < 0 ? 0 : this.#bytes.readInt8(at)
  }

  int16(): number {
    const at = this.#take(2)
    return at < 0 ? 0 : this.#bytes.readInt16BE(at)
  }

  int32(): number {
    const at = this.#take(4)
    return at < 0 ? 0 : this.#bytes.readInt32BE(at)
  }

  /** Offsets and timestamps: int64 on the wire, exact as a number up to 2^53; a larger one breaks the frame rather than being rounded. */
  int64(): number {
    const at = this.#take(8)
    if (at < 0) return 0
    const value = this.#bytes.readInt32BE(at) * 0x1_0000_0000 + this.#bytes.readUInt32BE(at + 4)
    return Number.isSafeInteger(value) ? value : this.#fail('a 64-bit number beyond 2^53')
  }

  bool(): boolean {
    return this.int8() !== 0
  }

  uvarint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const at = this.#take(1)
      if (at < 0) return 0
      const byte = this.#bytes[at] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return this.#fail('a length of more than five bytes')
  }

  /** COMPACT_NULLABLE_STRING. */
  nullableString(): string | null {
    const length = this.uvarint() - 1
    if (length < 0) return null
    const at = this.#take(length)
    return at < 0 ? null : this.#bytes.toString('utf8', at, at + length)
  }

  /** COMPACT_STRING; a null where the protocol has none reads as ''. */
  string(): string {
    return this.nullableString() ?? ''
  }

  /** COMPACT_BYTES; null reads as empty. A view on the frame, not a copy. */
  bytes(): Buffer {
    const length = this.uvarint() - 1
    if (length <= 0) return Buffer.alloc(0)
    const at = this.#take(length)
    return at < 0 ? Buffer.alloc(0) : this.#bytes.subarray(at, at + length)
  }

  uuid(): string {
    const at = this.#take(16)
    return at < 0 ? '' : this.#bytes.toString('hex', at, at + 16)
  }

  /**
   * COMPACT_ARRAY; null reads as empty. `leastBytes` is the size of the smallest possible item: a count that does not fit
   * what is left of the frame breaks it before anything is allocated.
   */
  array<T>(leastBytes: number, read: (reader: this) => T): T[] {
    const count = this.uvarint() - 1
    return this.#items(count, leastBytes, read)
  }

  /** ARRAY of the old encoding (int32 count): only the classic consumer protocol's assignments still use it. */
  oldArray<T>(leastBytes: number, read: (reader: this) => T): T[] {
    return this.#items(this.int32(), leastBytes, read)
  }

  /** STRING of the old encoding (int16 length). */
  oldString(): string {
    const length = this.int16()
    if (length <= 0) return ''
    const at = this.#take(length)
    return at < 0 ? '' : this.#bytes.toString('utf8', at, at + length)
  }

  /** Skips a tag buffer: fields a later Kafka may add. */
  tags(): void {
    const count = this.uvarint()
    if (count * 2 > this.left) {
      this.#fail('more tagged fields than bytes')
      return
    }
    for (let index = 0; index < count && this.#broken === null; index += 1) {
      this.uvarint()
      this.#take(this.uvarint())
    }
  }

  #items<T>(count: number, leastBytes: number, read: (reader: this) => T): T[] {
    const items: T[] = []
    if (count * leastBytes > this.left) {
      this.#fail(`a list of ${count} in ${this.left} bytes`)
      return items
    }
    for (let index = 0; index < count && this.#broken === null; index += 1) items.push(read(this))
    return items
  }

  #take(length: number): number {
    if (this.#broken !== null) return -1
    if (length > this.left) {
      this.#fail('the frame ends early')
      return -1
    }
    const at = this.#at
    this.#at += length
    return at
  }

  #fail(reason: string): 0 {
    this.#broken ??= reason
    return 0
  }
}
