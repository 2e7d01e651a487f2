/** A remedy as plain lines, so that a test can show what a person would read. */

import type { Expectation } from '../../src/incident/expectation.ts'
import { knobs } from '../../src/incident/knob.ts'
import type { Remedy } from '../../src/incident/proposal.ts'
import { stepInWords } from '../../src/incident/setting-words.ts'

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  - ${line}`)]

const expected = (one: Expectation): string => `${one.located ? '* ' : ''}${one.says}`

export function remedyText(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'refusal':
      return ['NO CHANGE', `  ${remedy.reason}`, ...(remedy.needs === null ? [] : [`  needs: ${remedy.needs}`])].join('\n')
    case 'referral':
      return [`TO THE OWNER OF THE ${remedy.to.toUpperCase()}`, ...remedy.say.map((line) => `  - ${line}`)].join('\n')
    case 'proposal': {
      const { action } = remedy
      return [
        `CHANGE ${knobs[action.knob].title} of ${action.scope}: ${stepInWords(action.knob, action.from.value, action.to)}`,
        `  for ${remedy.cause.replaceAll('_', ' ')} in ${remedy.place}`,
        `  now (${action.from.provenance}): ${action.from.how}`,
        ...list('Arithmetic', remedy.arithmetic),
        ...list('Expected', remedy.expects.map(expected)),
        ...list('Do', remedy.apply),
        ...list('Test', remedy.test),
        ...list('Undo', remedy.undo),
        ...list('Stop if', remedy.stopIf),
        ...list('Will not fix', remedy.willNotFix),
      ].join('\n')
    }
  }
}
