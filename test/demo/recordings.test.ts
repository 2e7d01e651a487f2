/** What `headwater demo --terminal` can show: bundles, and no stories of the browser beside them. */
import { expect, test } from 'vitest'
import { replayBundle } from '../../src/app.ts'
import { recordings } from '../../src/demo/recordings.ts'

test('every shipped recording is one that can be judged', async () => {
  const all = recordings()
  expect(all.map(({ name }) => name)).toEqual(['hot-partition'])
  for (const { read } of all) expect(replayBundle(await read()).attribution.cause).toBe('hot_partition')
})
