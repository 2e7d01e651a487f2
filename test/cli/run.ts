/** Runs a command as a person would, and keeps what was written. */
import { run } from '../../src/cli/program.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function headwater(
  args: readonly string[],
  given: { stdin?: Uint8Array; signal?: AbortSignal; env?: Record<string, string> } = {},
): Promise<Ran> {
  let out = ''
  let err = ''
  const code = await run(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    stdin: (async function* () {
      if (given.stdin !== undefined) yield given.stdin
    })(),
    env: given.env ?? {},
    signal: given.signal ?? new AbortController().signal,
  })
  return { code, out, err }
}
