/** A terminal that keeps what was written to it. */
import type { Io } from '../../src/cli/io.ts'

export interface FakeIo extends Io {
  readonly out: () => string
  readonly err: () => string
}

export interface FakeTerminal {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: readonly (Uint8Array | string)[]
  readonly signal?: AbortSignal
  /** Both streams are a terminal of so many columns. */
  readonly columns?: number
}

export function fakeIo(terminal: FakeTerminal = {}): FakeIo {
  const { env = {}, stdin = [], signal = new AbortController().signal, columns } = terminal
  const written = { out: '', err: '' }
  const shape = columns === undefined ? { isTTY: false } : { isTTY: true, columns }
  return {
    stdout: { ...shape, write: (text) => (written.out += text) },
    stderr: { ...shape, write: (text) => (written.err += text) },
    stdin: (async function* () {
      yield* stdin
    })(),
    env,
    signal,
    out: () => written.out,
    err: () => written.err,
  }
}
