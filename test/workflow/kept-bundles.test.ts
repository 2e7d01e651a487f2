/**
 * Bundles that live drills left behind (`test/drills/KIND-SEED.json.gz`), replayed for ever: no later engine may name a wrong cause
 * for any of them. The truth is the kind in the file name; a bundle in which it cannot be known is named `KIND-SEED.open.json.gz`
 * and may also be inconclusive.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBundle } from '../../src/sources/bundle.ts'
import { judge } from '../../src/workflow/judge.ts'

const folder = join(import.meta.dirname, '../drills')
const kept = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json.gz')) : []

/** A repository is no store for recordings. */
const mostBytes = 150 * 1024

test.each(kept)('%s', (file) => {
  const [, kind, , open] = /^([a-z_]+)-([\w.-]+?)(\.open)?\.json\.gz$/.exec(file)!
  expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(mostBytes)
  const { outcome, cause } = judge(readBundle(readFileSync(join(folder, file)))).attribution
  if (open !== undefined && outcome === 'inconclusive') return
  expect(outcome === 'none' ? 'none' : cause).toBe(kind)
})

test('a kept bundle is named for its truth', () => {
  expect(kept.filter((file) => !/^[a-z_]+-[\w.-]+\.json\.gz$/.test(file))).toEqual([])
})
