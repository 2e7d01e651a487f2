import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertWritable, writeFiles } from '../../src/cli/output-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const never = new AbortController().signal

test('files appear whole, over what was there', async () => {
  writeFileSync(at('a'), 'older and longer')
  const files = new Map<string, string | Uint8Array>([
    [at('a'), 'new'],
    [at('b'), new Uint8Array([1, 2])],
  ])
  await writeFiles(files, never)
  expect(readFileSync(at('a'), 'utf8')).toBe('new')
  expect([...readFileSync(at('b'))]).toEqual([1, 2])
  expect(readdirSync(folder)).toEqual(['a', 'b'])
})

test('one that cannot be written leaves none of them', async () => {
  const files = new Map([
    [at('a'), 'x'],
    [at('no/b'), 'y'],
  ])
  await expect(writeFiles(files, never)).rejects.toThrow(`cannot write ${at('no/b')}: its folder does not exist`)
  expect(readdirSync(folder)).toEqual([])
})

test('an interrupted command leaves what was there before', async () => {
  writeFileSync(at('a'), 'before')
  await expect(writeFiles(new Map([[at('a'), 'after']]), AbortSignal.abort())).rejects.toThrow('interrupted')
  expect(readFileSync(at('a'), 'utf8')).toBe('before')
  expect(readdirSync(folder)).toEqual(['a'])
})

test('a folder is no place for a file, nor is one that takes none', async () => {
  mkdirSync(at('d'))
  await expect(assertWritable([at('d')])).rejects.toThrow('it is a folder')
  await expect(assertWritable([at('new')])).resolves.toBeUndefined()
  chmodSync(folder, 0o500)
  // root may write anywhere
  if (process.getuid?.() !== 0) await expect(assertWritable([at('x')])).rejects.toThrow('not allowed')
  chmodSync(folder, 0o700)
})
