/** What a message says was not seen: only what told nothing of the incident's time. It began at 3,000 s of 3,600. */
import { expect, test } from 'vitest'
import type { Gap } from '../../src/incident/evidence.ts'
import { join } from '../../src/incident/join.ts'
import { homeMessage } from '../../src/report/messages/incident/home.ts'
import { unseenSources } from '../../src/report/messages/incident/unseen.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { alert, opened, routing } from '../build/incident.ts'
import { messageText } from '../build/message-text.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'

const timeline = timelineOf({ kind: 'hot_partition', agoS: 600 })
const gap = (source: string, from?: number, to?: number, signal: string | null = null): Gap => ({
  source,
  signal,
  reason: 'why',
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
})
const unseen = (...gaps: Gap[]): string[] => unseenSources(gaps, timeline, [3_000, 3_010])

test.each<[string, Gap[], string[]]>([
  ['what is not kept from before it', [gap('spark-ui', 0, 2_900), gap('checkpoint', 0, 3_100)], []],
  ['all of a source', [gap('checkpoint')], ['checkpoint']],
  ['all of its time', [gap('spark-ui', 2_990, 3_600)], ['Spark UI']],
  ['all of its time, in two pieces', [gap('spark-ui', 3_300, 3_600), gap('spark-ui', 0, 3_300)], ['Spark UI']],
  ['two pieces with something between', [gap('spark-ui', 0, 3_200), gap('spark-ui', 3_300, 3_600)], []],
  ['one reading of a source', [gap('spark-ui', 0, 3_600, 'executor.task_rate')], []],
  ['no second look at what was read once', [gap('kafka')], []],
  ['clocks that were not compared', [gap('clocks')], []],
  ['a source of somebody else', [gap('prometheus', 0, 3_600), gap('prometheus')], ['prometheus']],
])('%s', (_, gaps, names) => {
  expect(unseen(...gaps)).toEqual(names)
})

test('it stands beside the way to the thread, and never in its place', () => {
  const incident = join(opened(), alert(), 1, 0, '', routing)
  const said = (...gaps: Gap[]): string => {
    const attribution = { ...verdictOf('hot_partition', timeline), gaps }
    return messageText(homeMessage(incident, { timeline, attribution }, wallClock('UTC')))
  }
  expect(said(gap('checkpoint'), gap('spark-ui'))).toContain('more in the thread\n. Not seen: checkpoint and Spark UI')
  expect(said(gap('spark-ui', 0, 2_000))).toMatch(/more in the thread$/)
})
