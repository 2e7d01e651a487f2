/** What a diagnosis costs a process that works anyway: its CPU in a window with one, less what it takes in a window without. */

export interface Window {
  readonly seconds: number
  /** By process; NaN = it was not there throughout. */
  readonly cpuSeconds: Readonly<Record<string, number>>
}

/** CPU seconds, window by window. A diagnosis that overran its window made it longer: usual work is reckoned by the second. */
export function extraOf(name: string, idle: readonly Window[], busy: readonly Window[]): number[] {
  const perSecond = idle.map((one) => (one.cpuSeconds[name] ?? Number.NaN) / one.seconds)
  return busy.map((one, i) => (one.cpuSeconds[name] ?? Number.NaN) - (perSecond[i] ?? Number.NaN) * one.seconds)
}
