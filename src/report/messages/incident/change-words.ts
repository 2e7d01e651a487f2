/** A bounded change in one line: "minPartitions: not set → 24 tasks (query orders)". */
import type { Action } from '../../../incident/knob.ts'
import { knobs } from '../../../incident/knob.ts'
import { stepInWords } from '../../../incident/setting-words.ts'
import { clean } from '../../clean.ts'

export function changeInWords({ knob, from, to, scope }: Action): string {
  return `${knobs[knob].title}: ${stepInWords(knob, from.value, to)} (${clean(scope)})`
}
