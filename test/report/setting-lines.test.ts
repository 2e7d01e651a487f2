/** Each setting that may be proposed, in every line that names it, as a person would write it. */
import { expect, test } from 'vitest'
import type { ProposalCard } from '../../src/incident/incident.ts'
import type { Knob } from '../../src/incident/knob.ts'
import { knobs } from '../../src/incident/knob.ts'
import { mayMove } from '../../src/proposal/bounds.ts'
import type { TermName } from '../../src/proposal/terms.ts'
import { terms } from '../../src/proposal/terms.ts'
import { measure } from '../../src/recovery/measure.ts'
import { ledgerTable } from '../../src/report/ledger-table.ts'
import { changeInWords } from '../../src/report/messages/incident/change-words.ts'
import { proposalMessage } from '../../src/report/messages/incident/thread.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { chain } from '../../src/signoff/chain.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'
import { proposal } from '../build/incident.ts'
import { draftAt, ledgerKey } from '../build/ledger.ts'
import { lookAt } from '../build/look.ts'

type Case = readonly [from: number | null, to: number, scope: string, line: string, now: string, before: string]

const cases: Readonly<Record<Knob, Case>> = {
  minPartitions: [
    null,
    24,
    'query orders',
    'minPartitions: not set → 24 tasks (query orders)',
    'Now: not set (read',
    'minPartitions was set to 24 before',
  ],
  maxRecordsPerPartition: [
    100_000,
    50_000,
    'query orders',
    'maxRecordsPerPartition: 100,000 → 50,000 records (query orders)',
    'Now: 100,000 records (read',
    'maxRecordsPerPartition was set to 50,000 before',
  ],
  partitionReassignment: [
    2,
    0,
    'leaders of orders on broker 2',
    'partition reassignment: 2 → 0 (leaders of orders on broker 2)',
    'Now: 2 (read',
    'the number of leaders on the broker was set to 0 before',
  ],
  executors: [2, 4, 'query orders', 'executors: 2 → 4 (query orders)', 'Now: 2 (read', 'the number of executors was set to 4 before'],
  consumers: [
    3,
    5,
    'group billing',
    'members of the group: 3 → 5 (group billing)',
    'Now: 3 (read',
    'the number of members of the group was set to 5 before',
  ],
  maxOffsetsPerTrigger: [
    6_000,
    12_000,
    'query orders',
    'maxOffsetsPerTrigger: 6,000 → 12,000 records (query orders)',
    'Now: 6,000 records (read',
    'maxOffsetsPerTrigger was set to 12,000 before',
  ],
  triggerInterval: [
    5,
    2.5,
    'query orders',
    'trigger interval: 5 s → 2.5 s (query orders)',
    'Now: 5 s (read',
    'the trigger interval was set to 2.5 s before',
  ],
}

test.each(Object.keys(knobs) as Knob[])('%s', (knob) => {
  const [value, to, scope, line, now, before] = cases[knob]
  const action = { knob, from: { value, provenance: 'read', how: 'as the system says' }, to, scope } as const
  expect(changeInWords(action)).toBe(line)
  const card = { proposal: { ...proposal(), action }, hash: 'c0ffee' } as unknown as ProposalCard
  const [head] = proposalMessage(card).body
  expect(head).toMatchObject({ text: `Proposal: ${line}`, below: expect.stringContaining(now) })
  expect(mayMove(knob, [{ knob, to, appliedAtMs: 0, outcome: 'no_effect' }], 7_200_000)).toMatch(before)
  const entry = draftAt(1, { details: { knob, from: String(value ?? 'not set'), to: String(to), scope } })
  const view = { clock: wallClock('UTC'), person: () => null }
  expect(
    ledgerTable(chain(emptyHead, [entry], ledgerKey), view)
      .at(-1)!
      .trim(),
  ).toBe(line)
})

/** What a check says of a reading that was 2, should be 4 (or at most that) and was not seen. */
const checked: Readonly<Record<TermName, string>> = {
  'stage.idle_slot_share': 'slot time that is idle while a batch reads and works: not seen since; 200 % before, 400 % expected',
  'reader.load': 'time that the reader needs for what arrives, over the time there is: not seen since; 200 % before, 400 % expected',
  'batch.duration_s': 'duration of a batch: not seen since; 2 s before, 4 s expected',
  'reader.flow_ratio': 'records finished over records that arrived: not seen since; 200 % before, 400 % expected',
  'reader.lag': 'lag just after a commit: not seen since; 2 records before, 4 records expected',
  'reader.lag_growth': 'growth of the lag: not seen since; 2 records/s before, 4 records/s expected',
  'executor.count': 'the number of executors: not seen since; 2 before, 4 expected',
  'group.members': 'the number of members of the group: not seen since; 2 before, 4 expected',
  'executor.gc_share': 'the share of time spent collecting garbage: not seen since; 200 % before, 400 % expected',
}

test.each(Object.keys(terms) as TermName[])('a check of %s', (signal) => {
  const expectation = { signal, from: 2, to: [4, 4], unit: terms[signal].unit, within: [0, 60], located: false, says: '' } as const
  const later = lookAt({}).timeline.now + 1
  expect(measure(expectation, lookAt({ without: ['spark', 'kafka'] }), later, later, false).says).toBe(checked[signal])
})

test('executors that came are counted once', () => {
  const expectation = {
    signal: 'executor.count',
    from: 1,
    to: [2, 2],
    unit: 'executors',
    within: [0, 60],
    located: false,
    says: '',
  } as const
  expect(measure(expectation, lookAt({}), 0, 0, true).says).toBe('the number of executors: 2 now, 1 before, 2 expected')
})
