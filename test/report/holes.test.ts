import { expect, test } from 'vitest'
import type { Gap } from '../../src/incident/evidence.ts'
import type { PanelName } from '../../src/report/chart/holes.ts'
import { reasonFor } from '../../src/report/chart/holes.ts'
import { delta } from '../../src/sources/delta.ts'
import { kafkaGroup } from '../../src/sources/kafka-group.ts'
import { kafkaPartitions } from '../../src/sources/kafka-partitions.ts'
import { sparkUi } from '../../src/sources/spark-ui.ts'
import { timelineOf } from '../build/timeline.ts'

const quiet = timelineOf({ kind: 'quiet' })
const why = (panel: PanelName, ...gaps: Gap[]) => reasonFor(panel, { ...quiet, gaps })
const down = (source: string, more: Partial<Gap> = {}): Gap => ({ source, signal: null, reason: `${source} is down`, ...more })

test.each<[PanelName, string]>([
  ['intake', kafkaPartitions.name],
  ['lag', kafkaGroup.name],
  ['lag', 'checkpoint'],
  ['batches', sparkUi.name],
  ['slots', sparkUi.name],
  ['freshness', delta.name],
])('an empty panel of %s says why %s gave nothing', (panel, source) => {
  expect(why(panel, down('another'), down(source))).toBe(`${source} is down`)
})

test('the source that tells most comes first, and what lacks for a stretch only comes last', () => {
  expect(why('lag', down('kafka'), down('checkpoint'))).toBe('checkpoint is down')
  expect(why('batches', down('spark-ui', { from: 1, to: 2 }), down('checkpoint'))).toBe('checkpoint is down')
  expect(why('batches', down('spark-ui', { from: 1, to: 2 }))).toBe('spark-ui is down')
})
