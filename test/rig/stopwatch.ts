// Times the parts of a start and prints each as it ends.

export interface Stopwatch {
  /** Runs one part and prints how long it took. */
  part<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Seconds per part, in order of ending. */
  readonly seconds: Readonly<Record<string, number>>
}

export function stopwatch(say: (line: string) => void): Stopwatch {
  const seconds: Record<string, number> = {}
  return {
    seconds,
    async part(name, work) {
      const startMs = Date.now()
      const result = await work()
      const took = (Date.now() - startMs) / 1000
      seconds[name] = took
      say(`  ${name.padEnd(28)} ${took.toFixed(1).padStart(6)} s`)
      return result
    },
  }
}
