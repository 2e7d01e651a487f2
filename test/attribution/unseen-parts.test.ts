/** Parts of a batch that nobody saw speak neither for a cause nor against one. */
import { expect, it } from 'vitest'
import { causes } from '../../src/attribution/causes/index.ts'
import { gatherFacts } from '../../src/attribution/facts.ts'
import type { Batch, Evidence } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { incidents } from '../build/incidents.ts'

function weights(cause: string, incident: string, change: (batch: Batch) => Batch): Record<string, number> {
  const evidence = (incidents[incident] as () => Evidence)()
  const facts = gatherFacts(buildTimeline({ ...evidence, batches: evidence.batches.map(change) }))
  const said = causes.find(({ name }) => name === cause)?.weigh(facts).evidence ?? []
  return Object.fromEntries(said.map(({ id, weight }) => [id, weight]))
}

const asSeen = (batch: Batch) => batch

it('without rows nobody says that more rows explain nothing', () => {
  const withoutRows = (batch: Batch): Batch => ({ ...batch, rows: null, from_offset: null, to_offset: null })
  expect(weights('executor_loss', 'a lost executor', asSeen)).toHaveProperty(['batch.not_by_rows'])
  expect(weights('executor_loss', 'a lost executor', withoutRows)).not.toHaveProperty(['batch.not_by_rows'])
  expect(weights('intake_surge', 'a surge', asSeen)['batch.rows_explain']).toBeGreaterThan(0.5)
  expect(weights('intake_surge', 'a surge', withoutRows)).not.toHaveProperty(['batch.rows_explain'])
})

it('without phases and jobs the time that nobody saw is not the driver of an executor loss', () => {
  const withoutPhases = (batch: Batch): Batch => ({ ...batch, duration_ms: {}, jobs: [] })
  // A commit of 4 s: the table's where its end is seen, else anybody's.
  expect(weights('executor_loss', 'a slow commit', asSeen)['account.explains']).toBeLessThan(-1)
  expect(weights('executor_loss', 'a slow commit', withoutPhases)['account.explains']).toBeLessThan(-1)
})
