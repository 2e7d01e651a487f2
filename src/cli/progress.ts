/** What is going on, for someone who waits: one line that keeps changing on a terminal, a line each with --verbose elsewhere. */
import type { Io } from './io.ts'

export interface Progress {
  readonly say: (line: string) => void
  /** Takes the line away again; must be called before anything else is printed. */
  readonly end: () => void
}

export function startProgress(io: Io, verbose: boolean, nowMs: () => number = Date.now): Progress {
  const begin = nowMs()
  const stamped = (line: string) => `${((nowMs() - begin) / 1000).toFixed(1)} s  ${line}`
  if (verbose) return { say: (line) => io.stderr.write(`${stamped(line)}\n`), end: () => {} }
  if (io.stderr.isTTY !== true) return { say: () => {}, end: () => {} }
  let shown = false
  const clear = () => {
    if (shown) io.stderr.write('\r\u001b[2K')
    shown = false
  }
  return {
    say: (line) => {
      const columns = io.stderr.columns ?? 80
      clear()
      io.stderr.write([...stamped(line)].slice(0, columns - 1).join(''))
      shown = true
    },
    end: clear,
  }
}
