/** The figures of a run as one table: what, how it came out, what it was to be. */

export interface Row {
  readonly what: string
  readonly is: string
  /** '' = a figure that nothing is held against. */
  readonly goal: string
  readonly held: boolean
}

export const figure = (what: string, is: string): Row => ({ what, is, goal: '', held: true })

export const held = (what: string, is: string, goal: string, holds: boolean): Row => ({ what, is, goal, held: holds })

/** What must be exactly so often. */
export const count = (what: string, is: number, goal: number): Row =>
  held(what, is.toLocaleString('en-US'), goal.toLocaleString('en-US'), is === goal)

export function table(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ what }) => what.length))
  const lines = rows.map(({ what, is, goal, held: holds }) => {
    const mark = goal === '' ? ' ' : holds ? '✓' : '✗'
    return `  ${mark} ${what.padEnd(width)}  ${is}${goal === '' ? '' : `   (goal ${goal})`}`
  })
  return ['', title, ...lines].join('\n')
}
