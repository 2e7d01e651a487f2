/** Time as a port: stages wait and measure through it, so that a test can walk an incident in no time. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}
