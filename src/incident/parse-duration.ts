/** Durations as people write them: 500ms, 5s, 2m, 1h 30m, 1d. */

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 }

/** What to write, for messages. */
export const durationForm = 'a number with its unit, e.g. 500ms, 5s, 2m, 1h 30m'

/** @returns seconds (> 0), or null when the text is no duration */
export function parseDuration(text: string): number | null {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*/gy)]
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text.trim()) return null
  const seconds = parts.reduce((sum, part) => sum + Number(part[1]) * unitSeconds[part[2]!]!, 0)
  return seconds > 0 ? Number(seconds.toFixed(3)) : null
}
