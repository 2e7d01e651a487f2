/** From the sources, as the npm scripts start it: also where the Node that is there cannot load them. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const start = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' })
const { scripts, engines, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('a Node that loads .ts starts the program', () => {
  expect(start(join(root, 'src/start.mjs'), '--version').stdout).toBe(`${version}\n`)
})

test('one that does not says which is needed and where it comes from', () => {
  const { status, stderr } = start('--no-experimental-strip-types', join(root, 'src/start.mjs'), '--version')
  expect(status).toBe(1)
  expect(stderr).toContain(`headwater needs Node ${engines.node}; this is ${process.version}`)
  expect(stderr).toContain('npm ci brings one')
  expect(stderr.trimEnd().split('\n')).toHaveLength(2)
})

test('npm scripts start it so', () => {
  expect([scripts.headwater, scripts.demo]).toEqual(['node src/start.mjs', 'node src/start.mjs demo'])
})
