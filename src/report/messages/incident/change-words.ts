/** A bounded change in one line: "minPartitions: not set → 24 tasks (query orders)". */

import { grouped } from '../../../incident/format.ts'
import type { Action } from '../../../incident/knob.ts'
import { knobs } from '../../../incident/knob.ts'
import { clean } from '../../clean.ts'

export function changeInWords({ knob, from, to, scope }: Action): string {
  const { title, unit } = knobs[knob]
  return `${title}: ${from.value === null ? 'not set' : grouped(from.value)} → ${grouped(to)} ${unit} (${clean(scope)})`
}
