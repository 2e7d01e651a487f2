/** What a command may touch: handed in, so that tests call commands as people do, without a process of their own. */
export interface Terminal {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Io {
  readonly stdout: Terminal
  readonly stderr: Terminal
  readonly stdin: AsyncIterable<Uint8Array | string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts at Ctrl-C and when the process is asked to end. */
  readonly signal: AbortSignal
}

/** Exit codes, as `headwater help` lists them. */
export const exitCodes = { done: 0, mistake: 1, nothingSeen: 2, interrupted: 130 } as const

/** Colours for people: on a terminal, and never where NO_COLOR is set (no-color.org). */
export function wantsColor(io: Io): boolean {
  return io.stdout.isTTY === true && (io.env.NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb'
}

/** Columns of the verdict: what a terminal has, up to a line length that can still be read; 80 into files and pipes. */
export function widthOf(io: Io): number {
  return io.stdout.isTTY === true ? Math.min(io.stdout.columns ?? 80, 110) : 80
}

export function complain(io: Io, message: string): void {
  io.stderr.write(`headwater: ${message}\n`)
}
