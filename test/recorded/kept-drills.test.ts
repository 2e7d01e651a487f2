/**
 * Bundles of drills kept in test/drills: KIND-NAME.json.gz, and beside it KIND-NAME.json with the truth, as a drill's record has it
 * (kind and place). None may be judged wrongly; where `must` is "right" the cause and its place must be named.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBundle } from '../../src/sources/bundle.ts'
import { judge as verdictOf } from '../../src/workflow/judge.ts'
import type { TruthPlace } from '../rig/faults/fault.ts'
import { judge } from '../rig/judge.ts'

interface Truth {
  readonly kind: string
  readonly place: TruthPlace
  readonly must?: 'right' | 'not_wrong'
}

const folder = join(import.meta.dirname, '../drills')
const kept = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json.gz')) : []
/** Larger ones do not belong into a repository. */
const MOST_BYTES = 150_000

describe('kept drills', () => {
  test('there are some', () => {
    expect(kept.length).toBeGreaterThan(0)
  })

  test.each(kept)('%s', (file) => {
    const content = readFileSync(join(folder, file))
    expect(content.length).toBeLessThanOrEqual(MOST_BYTES)
    const truth = JSON.parse(readFileSync(join(folder, `${basename(file, '.json.gz')}.json`), 'utf8')) as Truth
    expect(file.startsWith(`${truth.kind}-`)).toBe(true)
    const evidence = readBundle(content)
    const { attribution } = verdictOf(evidence)
    const judged = judge(truth.kind, truth.place, attribution, evidence.pipeline.topics[0]?.name ?? '')
    const said = `${attribution.outcome} ${attribution.cause ?? ''} ${attribution.reason ?? ''}`
    expect(judged.wrong, said).toBe(false)
    if (truth.must === 'right') {
      expect(judged.right, said).toBe(true)
      if (truth.kind !== 'none') expect(judged.placeRight, JSON.stringify(attribution.place)).toBe(true)
    }
  })
})
