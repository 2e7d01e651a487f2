/** Why a verdict is inconclusive, in words. The codes are those of the engine: `code` or `code:detail/detail`. */
import { listed } from '../incident/format.ts'
import { wordsFor } from './cause-words.ts'
import { signalWord } from './signal-words.ts'

export function reasonInWords(reason: string | null): string {
  if (reason === null) return 'the evidence does not single out one cause'
  const [code, detail = ''] = splitOnce(reason)
  const parts = detail.split(/[/,]/).filter((part) => part !== '')
  // Names of readings may hold a slash; only a comma parts them.
  const missing = detail.split(',').filter((part) => part !== '')
  switch (code) {
    case 'tie':
      return `${listed(parts.map((cause) => wordsFor(cause).title.toLowerCase()))} explain what was seen equally well`
    case 'missing':
      return parts.length === 0
        ? 'a reading that would decide is missing'
        : `what would decide was not seen: ${listed(missing.map(signalWord))}`
    case 'unjudged':
      return `this version does not weigh what would decide: ${listed(missing.map(signalWord))}`
    case 'no_onset':
      return 'no signal shows a beginning, so nothing can be put first'
    case 'disagree':
      return parts.length === 0 ? 'the signals disagree with each other' : 'two readings disagree'
    case 'closure':
      return 'the readings do not add up, so the data itself is in doubt'
    case 'order_unresolvable':
      return 'what moved first cannot be told: the onsets lie too close together'
    case 'unexplained':
      return 'something is wrong, but no known cause explains it well enough'
    case 'one_witness':
      return 'only one independent observation speaks for the best candidate'
    case 'counterfactual':
      return 'the best candidate explains too little of the lag'
    case 'coverage':
      return 'too little was seen of what could tell the candidates apart'
    case 'unknown':
      return 'something is wrong that no known cause explains'
    default:
      return detail === '' ? spoken(code) : `${spoken(code)}: ${listed(parts.map(spoken))}`
  }
}

const spoken = (code: string): string => code.replaceAll('_', ' ')

function splitOnce(reason: string): [string, string?] {
  const at = reason.indexOf(':')
  return at < 0 ? [reason] : [reason.slice(0, at), reason.slice(at + 1)]
}
