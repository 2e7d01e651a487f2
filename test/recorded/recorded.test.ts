/**
 * Twelve recorded drills through the real parsers, the merge, the timeline and the engine, asked at three instants each. Whatever is
 * accepted must be true; what the engine cannot know it must not name.
 */
import { describe, expect, test } from 'vitest'
import type { Attribution } from '../../src/attribution/attribution.ts'
import { judge } from '../../src/workflow/judge.ts'
import { evidenceAt } from './evidence-at.ts'
import type { Recording } from './recording.ts'
import { recordings, recordingsAreHere } from './recording.ts'

interface Expected {
  /** What may be accepted while the fault is on; none of the catalogue's causes where the list is empty. */
  readonly causes: readonly string[]
  /** Place of the cause, as far as the truth has one. */
  readonly place?: Partial<Attribution['place']>
  /** From how many seconds into the fault on it must be named. */
  readonly namedFrom?: number
}

const expectations: Readonly<Record<string, Expected>> = {
  // Two slow batches that nothing explains (8.4 s and 5.4 s) ended 50 s before its fault's 30 s: calm is said a little later.
  none: { causes: ['none'], namedFrom: 45 },
  hot_partition: { causes: ['hot_partition'], place: { partitions: [3] }, namedFrom: 30 },
  intake_surge: { causes: ['intake_surge'], place: { topic: 'orders', partitions: [] }, namedFrom: 30 },
  slow_sink_tasks: { causes: ['slow_sink'], place: { phase: 'sink' }, namedFrom: 30 },
  slow_sink_commit: { causes: ['slow_sink'], place: { phase: 'sink' }, namedFrom: 30 },
  executor_kill: { causes: ['executor_loss'], place: { executor: '0', host: '127.0.0.3' }, namedFrom: 30 },
  producer_stop: { causes: ['source_stall'], place: { topic: 'orders' }, namedFrom: 30 },
  // The batch in flight tells the cost of a record only when a stage of it has ended.
  slow_record: { causes: ['slow_processing'], place: { phase: 'processing' }, namedFrom: 45 },
  // Its executors die one after the other, for want of memory.
  oom_loop: { causes: ['executor_loss'] },
  broker_freeze: { causes: [] },
  executor_freeze: { causes: [] },
  rate_cap: { causes: [] },
}

const instants = [
  ['30 s into the fault', (one: Recording) => one.start + 30_000],
  ['45 s into the fault', (one: Recording) => one.start + 45_000],
  ['15 s after its end', (one: Recording) => one.end + 15_000],
] as const

const named = (a: Attribution) => (a.outcome === 'none' ? 'none' : a.cause)

if (!recordingsAreHere) console.info('recorded drills skipped: ../shared/data/recordings/drills is not here')

describe.runIf(recordingsAreHere)('recorded drills', () => {
  const all = recordings()

  test('every one is expected to tell something', () => {
    expect(all.map(({ fault }) => fault)).toEqual(Object.keys(expectations).toSorted())
  })

  for (const recording of all) {
    const { causes, place = {}, namedFrom = Number.POSITIVE_INFINITY } = expectations[recording.fault] as Expected
    test.each(instants)(`${recording.fault}, %s`, async (_, at) => {
      const atMs = at(recording)
      const { attribution } = judge(await evidenceAt(recording, atMs))
      const over = atMs >= recording.end
      // What is over and made up for may be called so; a fault that the engine does not know has left its traces still.
      const allowed = over && causes.length > 0 ? [...causes, 'none'] : causes
      if (attribution.outcome === 'inconclusive') {
        expect(attribution.reason).not.toBeNull()
        if (!over) expect(atMs - recording.start, attribution.headline).toBeLessThan(namedFrom * 1000)
      } else {
        expect(allowed).toContain(named(attribution))
        if (attribution.outcome === 'cause') expect(attribution.place).toMatchObject(place)
      }
    })
  }

  test('a reader with a cap is asked for its cap', async () => {
    const capped = all.find(({ fault }) => fault === 'rate_cap') as Recording
    const { attribution } = judge(await evidenceAt(capped, capped.start + 30_000))
    expect([attribution.reason, attribution.decidingSignal]).toEqual(['missing:the cap of the reader', 'the cap of the reader'])
  })
})
