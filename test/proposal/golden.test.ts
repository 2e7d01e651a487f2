/**
 * What an owner would read at night for three real drills (test/drills): a partition that took 82 % of the records, a store that became
 * slow, and a cap that nobody had declared. Files of test/proposal/golden; npm test -- test/proposal/golden.test.ts -u writes them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { propose } from '../../src/proposal/propose.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import { lookOf, undeclared } from '../build/look.ts'
import { remedyText } from '../build/remedy-text.ts'

test.each(['hot_partition', 'slow_sink', 'rate_cap'])('%s', async (kind) => {
  const evidence = readBundle(readFileSync(join(import.meta.dirname, `../drills/${kind}-recorded.json.gz`)))
  await expect(`${remedyText(propose(lookOf(evidence), undeclared))}\n`).toMatchFileSnapshot(`golden/${kind}.txt`)
})
