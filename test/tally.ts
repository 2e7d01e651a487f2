/** How many tests, drills and kept bundles went which way. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
}

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** The last line of every run; `.ci/run` reads it back. */
export function closingLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`
}
