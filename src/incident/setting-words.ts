/** Values of settings as people write them: with a unit where the name of the setting does not say already what is counted. */
import { grouped } from './format.ts'
import type { Knob } from './knob.ts'
import { knobs } from './knob.ts'

/** "24 tasks", "2.5 s", "4" of executors; null → "not set". */
export function settingInWords(knob: Knob, value: number | null): string {
  const unit: string = knobs[knob].unit
  if (value === null) return 'not set'
  return unit === '' ? digits(value) : `${digits(value)} ${unit}`
}

/** "not set → 24 tasks", "10 s → 5 s", "2 → 4". */
export function stepInWords(knob: Knob, from: number | null, to: number): string {
  return `${isTime(knob) || from === null ? settingInWords(knob, from) : digits(from)} → ${settingInWords(knob, to)}`
}

/** "the trigger interval was set to 5 s", "minPartitions was set to 16" */
export function wasSetTo(knob: Knob, to: number): string {
  return `${knobs[knob].subject} was set to ${isTime(knob) ? settingInWords(knob, to) : digits(to)}`
}

const isTime = (knob: Knob): boolean => knobs[knob].unit === 's'

/** Exact: somebody will type it. */
const digits = (value: number): string => (Number.isInteger(value) ? grouped(value) : String(Math.round(value * 1000) / 1000))
