import { expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { quoted } from '../../src/attribution/checks.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { evidenceOf } from '../build/pipeline.ts'

it('no command repeats a login that an older bundle still holds', () => {
  const evidence = evidenceOf({ commitS: (t) => (t < 3555 ? 0.4 : 4.4) })
  const look = { bootstrap: 'kafka:9092', spark: 'http://u:s3cret@driver:4040', app: 'app-1', table: 's3a://k:s3cret@bucket/table' }
  const verdict = JSON.stringify(attribute(buildTimeline({ ...evidence, pipeline: { ...evidence.pipeline, look } })))
  expect(verdict).toContain('s3a://bucket/table/_delta_log')
  expect(verdict).not.toContain('s3cret')
})

it('a name that is not ours stays one word for the shell', () => {
  expect(quoted('orders')).toBe('orders')
  expect(quoted("a'; rm -rf x")).toBe("'a'\\''; rm -rf x'")
})
