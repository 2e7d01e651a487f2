import { expect, test } from 'vitest'
import { answerOf } from './answer.ts'
import type { Judgement } from './judge.ts'
import type { Verdict } from './verdict.ts'

const said = { right: { right: true }, wrong: { wrong: true }, unsure: { accepted: false } } as const

const judgement = (word: keyof typeof said): Judgement => ({
  firstRight: true,
  accepted: true,
  right: false,
  wrong: false,
  placeRight: null,
  ...said[word],
})

interface Case {
  readonly said: keyof typeof said | null
  readonly knowable?: boolean
  readonly busy?: boolean
  /** Minutes from the fault to the question, and from the fault to the oldest batch that was kept then. */
  readonly askedAfter?: number
  readonly keptFrom?: number
  readonly reason?: string
}

const record = ({ said: word, knowable = true, busy = false, askedAfter = 0.5, keptFrom = -5, reason = 'no_onset' }: Case) => ({
  void: busy ? 'busy' : null,
  judgement: word === null ? null : judgement(word),
  knowable: { is: knowable, why: '', demandOverCapacity: null },
  verdict: { reason } as Verdict,
  times: { loadMs: 0, calmMs: 0, faultMs: 0, askedMs: askedAfter * 60_000, answeredMs: 0, endMs: 0, afterMs: 0 },
  observed: {
    ...{ medianBatchBefore: 0, longestBatchDuring: 0, openBatchAtAsk: 0, batchesDuring: 0, lagBefore: 0, lagAtAsk: 0 },
    keptFromMs: keptFrom * 60_000,
  },
})

const long = { said: 'unsure', askedAfter: 30, keptFrom: 14, reason: 'missing:batches before 10:04, the oldest that is kept' } as const

test.each<[string, Case, string]>([
  ['the cause', { said: 'right' }, 'right'],
  ['the cause although nobody could know', { said: 'right', knowable: false }, 'right'],
  ['another cause', { said: 'wrong' }, 'wrong'],
  ['another cause where nobody could know', { said: 'wrong', knowable: false }, 'wrong'],
  ['inconclusive', { said: 'unsure' }, 'inconclusive'],
  ['inconclusive where nobody could know', { said: 'unsure', knowable: false }, 'not knowable'],
  ['nothing where nobody could know', { said: null, knowable: false }, 'no answer'],
  ['anything on a busy machine', { said: 'wrong', busy: true }, 'void'],
  ['after half an hour, that the beginning is not kept', long, 'beyond reach'],
  ['the same, but the beginning is still there', { ...long, keptFrom: -2 }, 'inconclusive'],
  ['after half an hour, something else', { ...long, reason: 'tie:slow_sink/slow_processing' }, 'inconclusive'],
  ['after half a minute, that the beginning is not kept', { ...long, askedAfter: 0.5 }, 'inconclusive'],
  ['after half an hour, another cause', { ...long, said: 'wrong' }, 'wrong'],
])('%s', (_, one, answer) => {
  expect(answerOf(record(one))).toBe(answer)
})
