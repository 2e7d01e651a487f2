/** What an inconclusive verdict asks for fits the reader that is there. */
import { describe, expect, test } from 'vitest'
import type { Reader } from '../../src/incident/evidence.ts'
import { decides } from '../../src/report/decides.ts'
import { renderVerdict } from '../../src/report/terminal.ts'
import { verdictJson } from '../../src/report/verdict-json.ts'
import type { Timeline } from '../../src/timeline/timeline.ts'
import { judge } from '../../src/workflow/judge.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'
import { groupEvidence } from './group-evidence.ts'

const quiet = timelineOf({ kind: 'quiet' })
const inconclusive = (decidingSignal: string, howToDecide = 'as the engine says') =>
  verdictOf('quiet', quiet, {
    outcome: 'inconclusive',
    reason: `missing:${decidingSignal}`,
    decidingSignal,
    howToDecide,
  })
const read = (kind: Reader['kind'], signals: readonly string[] = []): Timeline => ({
  ...quiet,
  pipeline: { ...quiet.pipeline, reader: { kind } },
  signals,
})
const asked = (signal: string, timeline: Timeline) => decides(inconclusive(signal), timeline)

test('a Spark query is asked for what the engine asks for', () => {
  expect(asked('batches', read('spark-structured-streaming'))).toEqual({
    signal: 'batches',
    how: 'as the engine says',
    reason: 'missing:batches',
  })
})

test('nobody is asked to let in whom he has let in: a Spark UI that answered and kept too little is asked again later', () => {
  const ui = { ...read('spark-structured-streaming'), executors: { t: [0, 10], v: [2, 2] } }
  const verdict = inconclusive('end of the write job against the end of the batch', 'let Headwater reach the Spark UI')
  expect(decides(verdict, ui).how).toMatch(/^ask again after ten more batches: the Spark UI answered/)
  expect(decides(verdict, { ...ui, executors: { t: [], v: [] } }).how).toBe('let Headwater reach the Spark UI')
})

describe('a plain consumer group has no batches, stages or executors', () => {
  test.each(['batches', 'executor.count', 'stage.run_ms against cpu_ms', 'stage task times', 'the trigger interval'])('%s', (signal) => {
    const { signal: decides, how, reason } = asked(signal, read('consumer-group'))
    expect([decides, reason]).toEqual(['member.poll_idle_share', 'missing:member.poll_idle_share'])
    expect(how).toContain('poll-idle-ratio-avg')
    expect(how).not.toMatch(/Spark|checkpoint/)
  })

  test('its position is what it commits', () => {
    expect(asked('partition.position', read('consumer-group'))).toMatchObject({
      signal: 'partition.committed_offset',
      how: expect.stringContaining('group: <its consumer group>'),
    })
  })

  test('the brokers are asked for as ever', () => {
    expect(asked('partition.log_end_offset', read('consumer-group'))).toMatchObject({ how: 'as the engine says' })
  })

  test.each([
    [[], 'member.poll_idle_share'],
    [['member.poll_idle_share'], 'member.processing_ms'],
    [['member.poll_idle_share', 'member.processing_ms'], 'client.throttle_ms'],
    [['member.poll_idle_share', 'member.processing_ms', 'client.throttle_ms'], 'sink.write_ms'],
  ])('with %j the first of what is missing: %s', (seen, signal) => {
    expect(asked('batches', read('consumer-group', seen)).signal).toBe(signal)
  })

  test('what is there already is not asked for: it is said that nobody weighed it', () => {
    const seen = ['member.poll_idle_share', 'member.processing_ms', 'client.throttle_ms', 'sink.write_ms']
    const { reason, how } = asked('batches', read('consumer-group', seen))
    expect(reason).toBe('unjudged:member.poll_idle_share')
    expect(how).toContain('they are in the evidence, but not weighed by this version')
  })
})

test('DStreams keep no checkpoint that can be read, and a rate per partition', () => {
  const dstreams = read('spark-dstreams')
  expect(asked('batches', dstreams).how).toContain('give them in a bundle')
  expect(asked('partition.position', dstreams)).toMatchObject({ signal: 'partition.committed_offset' })
  expect(asked('the cap of the reader', dstreams).how).toContain('maxRatePerPartition')
  expect(asked('executor.count', dstreams).how).toBe('as the engine says')
})

test('where no reader is named, each kind of reader is', () => {
  const { how } = asked('batches', read('other'))
  for (const key of ['checkpoint:', 'spark:', 'group:']) expect(how).toContain(key)
})

test('a tie keeps its reason', () => {
  const tie = verdictOf('quiet', quiet, { outcome: 'inconclusive', reason: 'tie:a/b', decidingSignal: 'batches', howToDecide: '' })
  expect(decides(tie, read('consumer-group'))).toMatchObject({ reason: 'tie:a/b', signal: 'member.poll_idle_share' })
})

test('nothing asked for, nothing answered', () => {
  const none = verdictOf('quiet', quiet, { outcome: 'inconclusive', reason: 'unexplained' })
  expect(decides(none, read('consumer-group'))).toEqual({ signal: null, how: null, reason: 'unexplained' })
})

describe('a plain consumer group that falls behind, from its evidence to the reader', () => {
  const { attribution, timeline } = judge(groupEvidence)
  const text = renderVerdict(attribution, timeline, { zone: 'UTC', width: 80, color: false, verbose: false })

  test('no word of Spark', () => {
    expect(text).toContain('\nDecides   the share of its time that a member waits for records\n')
    expect(text).not.toMatch(/Spark|[Bb]atch|[Ee]xecutor|[Cc]heckpoint/)
  })

  test('scripts are told the same', () => {
    expect(JSON.parse(verdictJson(attribution, timeline, { bundle: null }))).toMatchObject({
      reason: 'missing:member.poll_idle_share',
      deciding_signal: 'member.poll_idle_share',
    })
  })
})
