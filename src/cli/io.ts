import { visible } from '../report/clean.ts'

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
export const exitCodes = { done: 0, mistake: 1, nothingSeen: 2, broken: 3, interrupted: 130 } as const

/** Colours for people: on a terminal, and never where NO_COLOR is set (no-color.org). */
export function wantsColor(io: Io): boolean {
  return io.stdout.isTTY === true && (io.env.NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb'
}

/** Longer lines are hard to follow. */
const readable = 110

/**
 * Columns of the verdict: what COLUMNS says, else what the terminal has, up to a length of line that can still be read; 80 into
 * files and pipes.
 */
export function widthOf(io: Io): number {
  const told = Number(io.env.COLUMNS)
  if (Number.isInteger(told) && told > 0) return Math.min(told, readable)
  return io.stdout.isTTY === true ? Math.min(io.stdout.columns ?? 80, readable) : 80
}

/** Errors quote names and files that others wrote: what could move a cursor or colour a line does not get through. */
export function complain(io: Io, message: string): void {
  io.stderr.write(`headwater: ${message.split('\n').map(visible).join('\n')}\n`)
}
