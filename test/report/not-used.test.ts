import { expect, test } from 'vitest'
import { notUsed } from '../../src/report/messages/not-used.ts'
import { renderVerdict } from '../../src/report/terminal.ts'
import { judge } from '../../src/workflow/judge.ts'
import { timelineOf } from '../build/timeline.ts'
import { groupEvidence } from './group-evidence.ts'

const quiet = timelineOf({ kind: 'quiet' })
const withSignals = (...signals: string[]) => ({ ...quiet, signals })
const said = (...signals: string[]) => notUsed(withSignals(...signals), false, false).map((item) => item.text)

test('a signal that nobody knows is named', () => {
  expect(said('partition.log_end_offset', 'sink.mood')).toEqual(['sink.mood: no signal that a bundle of version 1 knows'])
  expect(said('partition.log_end_offset', 'host.cpu')).toEqual([])
})

test('what is known and carries no weight is named where it is asked for', () => {
  expect(notUsed(withSignals('host.cpu', 'sink.write_ms', 'group.lag'), true, false).map((item) => item.text)).toEqual([
    'host.cpu and sink.write_ms: seen, but not weighed by this version',
  ])
})

test('many names are counted, long ones shortened, odd ones made harmless', () => {
  const many = Array.from({ length: 300 }, (_, i) => `x.${String(i).padStart(3, '0')}`)
  expect(said(...many)[0]).toMatch(/^x\.000, .*x\.010 and 289 more: /)
  const [odd] = said(`\u001b[31m${'y'.repeat(500)}\u202e`)
  expect((odd as string).length).toBeLessThan(100)
  expect(odd).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(said('\u001b[2J')).toEqual(['a signal without a name: no signal that a bundle of version 1 knows'])
})

test('a foreign bundle with a signal of its own says so on the terminal', () => {
  const mood = { signal: 'sink.mood', entity: {}, source: 'x', t: [1, 2], v: [1, 2] }
  const { attribution, timeline } = judge({ ...groupEvidence, series: [...groupEvidence.series, mood] })
  const text = renderVerdict(attribution, timeline, { zone: 'UTC', width: 80, color: false, verbose: false })
  expect(text).toContain('\nNot used\n  · sink.mood: no signal that a bundle of version 1 knows\n')
})
