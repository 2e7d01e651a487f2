/** A figure with how often it was taken and how far it spread: one number alone says nothing of the next run. */

interface Spread {
  readonly n: number
  readonly median: number
  readonly min: number
  readonly max: number
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2
  return { n: sorted.length, median, min: at(0), max: at(sorted.length - 1) }
}

export function title(text: string): void {
  console.log(`\n${text}`)
}

/** `goal` is what the figure is held against, e.g. "≤ 5 s". */
export function figure(name: string, values: readonly number[], unit: string, goal = ''): void {
  console.log(figureLine(name, values, unit, goal))
}

/** One line: name, median, least and most, how often. NaN = a run that gave none; it is not counted. */
export function figureLine(name: string, values: readonly number[], unit: string, goal = ''): string {
  const taken = values.filter((value) => Number.isFinite(value))
  if (taken.length === 0) return `  ${name.padEnd(46)} not measured`
  const { n, median, min, max } = spreadOf(taken)
  const range = n === 1 ? '' : `${number(min)} … ${number(max)}`
  const line = `  ${name.padEnd(46)} ${number(median).padStart(9)} ${unit.padEnd(9)} ${range.padEnd(20)} n = ${n}`
  return goal === '' ? line : `${line.padEnd(98)}  goal ${goal}`
}

function number(value: number): string {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
