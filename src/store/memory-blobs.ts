/** Bundles and pictures in one process, which has only so many bytes to give away: the oldest go first, but never what is still spoken of. */
import { createHash } from 'node:crypto'

export class MemoryBlobs {
  /** In the order in which they were kept. */
  readonly #blobs = new Map<string, { readonly bytes: Uint8Array; readonly untilMs: number }>()
  readonly #nowMs: () => number
  readonly #keepMs: number
  readonly #mostBytes: number

  constructor(nowMs: () => number, keepMs: number, mostBytes: number) {
    this.#nowMs = nowMs
    this.#keepMs = keepMs
    this.#mostBytes = mostBytes
  }

  /** @param spokenOf keys that may not go, however many bytes there are @returns SHA-256, hex */
  keep(bytes: Uint8Array, spokenOf: () => ReadonlySet<string>): string {
    const key = createHash('sha256').update(bytes).digest('hex')
    this.#blobs.delete(key)
    this.#blobs.set(key, { bytes: Uint8Array.from(bytes), untilMs: this.#nowMs() + this.#keepMs })
    this.#sweep(key, spokenOf)
    return key
  }

  bytes(key: string): Uint8Array | null {
    const kept = this.#blobs.get(key)
    return kept !== undefined && kept.untilMs > this.#nowMs() ? Uint8Array.from(kept.bytes) : null
  }

  /** Their time begins anew. */
  renew(keys: readonly string[]): void {
    for (const key of keys) {
      const blob = this.#blobs.get(key)
      if (blob !== undefined) this.#blobs.set(key, { ...blob, untilMs: this.#nowMs() + this.#keepMs })
    }
  }

  #sweep(newest: string, spokenOf: () => ReadonlySet<string>): void {
    let total = 0
    for (const [key, { bytes, untilMs }] of this.#blobs) {
      if (untilMs <= this.#nowMs()) this.#blobs.delete(key)
      else total += bytes.length
    }
    if (total <= this.#mostBytes) return
    const stay = spokenOf()
    for (const [key, { bytes }] of this.#blobs) {
      if (total <= this.#mostBytes) return
      if (key === newest || stay.has(key)) continue
      this.#blobs.delete(key)
      total -= bytes.length
    }
  }
}
