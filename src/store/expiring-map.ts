/** A map whose entries end at a time, as keys of Redis do. What has ended is swept out when something is added. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly untilMs: number }>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.untilMs > this.#nowMs() ? entry.value : undefined
  }

  /** Counts as the newest entry from now on. */
  set(key: string, value: V, lifeMs: number): void {
    const now = this.#nowMs()
    for (const [old, { untilMs }] of this.#entries) {
      if (untilMs > now) break
      this.#entries.delete(old)
    }
    this.#entries.delete(key)
    this.#entries.set(key, { value, untilMs: now + lifeMs })
  }

  /** Newest first. */
  values(): V[] {
    return [...this.#entries.keys()].toReversed().flatMap((key) => this.get(key) ?? [])
  }
}
