/** Who gets how much of a length that is not enough for all. */

/**
 * Max-min fair: whoever needs little gets all of it, the others get equal parts of the rest.
 * @returns for each need what it gets, in the same order
 */
export function share(needs: readonly number[], total: number): number[] {
  const got = needs.map(() => 0)
  let rest = Math.max(0, total)
  const smallestFirst = needs.map((need, place) => ({ need, place })).sort((a, b) => a.need - b.need)
  for (const [done, { need, place }] of smallestFirst.entries()) {
    const part = Math.min(need, Math.floor(rest / (needs.length - done)))
    got[place] = part
    rest -= part
  }
  return got
}

/** Room for the line that says how many were left out. */
const leftLength = 30

/** The first that fit. `more` = how many were left out before. */
export function fitting<T>(
  items: readonly T[],
  length: (item: T) => number,
  room: number,
  more = 0,
): { shown: readonly T[]; left: number } {
  const whole = items.reduce((sum, item) => sum + length(item) + 1, 0)
  if (whole <= room) return { shown: items, left: more }
  let rest = room - leftLength
  const end = items.findIndex((item) => {
    rest -= length(item) + 1
    return rest < 0
  })
  return { shown: items.slice(0, end), left: more + items.length - end }
}

export const andMore = (left: number): string => `… and ${left} more`
