/** How people write quantities. Pure words: no zone here (see wall-clock.ts), and "now" is always an argument. */

export const notKnown = 'not known'

/** 7 → "7", 3.7 → "3.7", 1240 → "1,240", 48312 → "48 k", 1240000 → "1.2 M". */
export function count(value: number): string {
  if (!Number.isFinite(value)) return notKnown
  if (value < 0) return `−${count(-value)}`
  if (value < 9.95 && !Number.isInteger(value)) return value < 0.05 ? '0' : trimZero(value.toFixed(1))
  const whole = Math.round(value)
  if (whole < 10_000) return grouped(whole)
  if (value < 999_500) return `${Math.round(value / 1e3)} k`
  if (value < 999.5e6) return `${scaled(value / 1e6)} M`
  return `${scaled(value / 1e9)} bn`
}

/** Exact whole number with separators, where a person compares it with what a command prints: 48312 → "48,312". */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** 600 → "600 records/s"; slower than six a minute → "3 records/min"; 0 → "0 records/s". */
export function rate(perSecond: number, unit = 'records'): string {
  if (!Number.isFinite(perSecond)) return notKnown
  const size = Math.abs(perSecond)
  if (size > 0 && size < 0.1) return `${count(perSecond * 60)} ${unit}/min`
  return `${count(perSecond)} ${unit}/s`
}

export function records(value: number): string {
  return numbered(value, 'record')
}

/** 1 → "1 executor", 2 → "2 executors", 0 → "0 executors". */
export function numbered(value: number, one: string): string {
  return `${count(value)} ${count(value) === '1' ? one : `${one}s`}`
}

/** At most two units, rounded to the smaller: 0.85 → "850 ms", 4.72 → "4.7 s", 200 → "3 min 20 s", 18600 → "5 h 10 min". */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return notKnown
  if (seconds < 0) return `−${duration(-seconds)}`
  if (seconds < 0.0005) return '0 s'
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 9.95) return `${trimZero(seconds.toFixed(1))} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  if (seconds < 3599.5) return twoUnits(Math.round(seconds), 60, 'min', 's')
  if (seconds < 86_370) return twoUnits(Math.round(seconds / 60), 60, 'h', 'min')
  return twoUnits(Math.round(seconds / 3600), 24, 'd', 'h')
}

/** Seconds from now to the moment: −130 → "2 min 10 s ago", 18600 → "in 5 h 10 min". */
export function relative(secondsFromNow: number): string {
  if (Math.abs(secondsFromNow) < 1) return 'just now'
  // Nobody means tenths of a second in "ago".
  const whole = Math.round(Math.abs(secondsFromNow))
  return secondsFromNow < 0 ? `${duration(whole)} ago` : `in ${duration(whole)}`
}

/** 0.623 → "62 %". For shares of a whole, never for confidence. */
export function share(part: number): string {
  const percent = Math.round(part * 100)
  return percent < 0 ? `−${-percent} %` : `${percent} %`
}

/** 1.94 → "1.9 times", 1 → "1.0 times" (measured, not counted), 12.4 → "12 times", 0.01 → "less than 0.1 times". */
export function times(factor: number): string {
  if (!Number.isFinite(factor)) return 'many times'
  if (factor >= 0 && factor < 0.05) return 'less than 0.1 times'
  return `${factor < 9.95 ? factor.toFixed(1) : count(factor)} times`
}

/** "3", "3 and 7", "3, 7 and 9", "3, 7, 9 and 5 more". */
export function listed(items: readonly (string | number)[], most = 4): string {
  const shown = items.length > most ? items.slice(0, most - 1) : items
  const rest = items.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  if (shown.length < 2) return shown.join('')
  return `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`
}

/** "partition 3", "partitions 3 and 7". */
export function partitionsNamed(partitions: readonly number[], most = 4): string {
  return `${partitions.length === 1 ? 'partition' : 'partitions'} ${listed(partitions, most)}`
}

/** "the table orders_bronze"; one that has no name, or is called "table", is "the table". */
export function tableNamed(name: string | undefined): string {
  return name === undefined || name === '' || name.toLowerCase() === 'table' ? 'the table' : `the table ${name}`
}

const trimZero = (digits: string): string => digits.replace(/\.0$/, '')
const scaled = (value: number): string => (value < 9.95 ? value.toFixed(1) : grouped(value))

function twoUnits(total: number, base: number, big: string, small: string): string {
  const rest = total % base
  return rest === 0 ? `${total / base} ${big}` : `${(total - rest) / base} ${big} ${rest} ${small}`
}
