import { expect, test } from 'vitest'
import { reasonInWords } from '../../src/report/reason-words.ts'

test.each([
  ['tie:slow_sink/slow_processing', 'slow sink and slower processing explain what was seen equally well'],
  ['missing:executor.count', 'what would decide was not seen: the number of executors'],
  ['missing:batches,made/up', 'what would decide was not seen: the batches of the reader and made/up'],
  ['missing:', 'a reading that would decide is missing'],
  ['unjudged:sink.write_ms', 'this version does not weigh what would decide: how long a write to the sink takes'],
  ['no_onset', 'no signal shows a beginning, so nothing can be put first'],
  ['disagree', 'the signals disagree with each other'],
  ['disagree:flow.intake_up/order', 'two readings disagree'],
  ['closure:partition.lag/partition.log_end_offset', 'the readings do not add up, so the data itself is in doubt'],
  ['unexplained', 'something is wrong, but no known cause explains it well enough'],
  ['some_new_code', 'some new code'],
  ['some_new_code:a_b', 'some new code: a b'],
  [null, 'the evidence does not single out one cause'],
])('%s', (reason, words) => {
  expect(reasonInWords(reason)).toBe(words)
})
