// Times as people write them on the command line.

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** "30m", "90s", "1.5h", "500ms" in ms. Throws on anything else, a bare number too: of what? */
export function parseDuration(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? []
  const factor = UNITS[unit]
  if (amount === undefined || factor === undefined) throw new Error(`a duration is like 30m, 90s or 500ms; not "${text}"`)
  return Number(amount) * factor
}
