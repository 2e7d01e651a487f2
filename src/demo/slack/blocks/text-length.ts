/** How much people would read in a block: Slack limits it over a whole message and over a table. */

/** @returns characters of every `text` that is a string, at any depth */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + textLength(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + (name === 'text' && typeof one === 'string' ? one.length : textLength(one)),
    0,
  )
}
