import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdRig } from './lock.ts'
import { processStat } from './proc.ts'

test('a folder is held by one living process; a dead one, or a later one with its pid, does not count', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lock-'))
  const heldBy = (pid: number, startTicks: number) =>
    writeFileSync(join(dir, 'lock.json'), JSON.stringify({ pid, startTicks, command: 'drill x' }))
  const parent = process.ppid
  const ticks = processStat(parent)?.startTicks ?? 0
  try {
    heldBy(parent, ticks)
    expect(() => holdRig(dir, 'rig up')).toThrow(`in use by "drill x", pid ${parent}`)
    heldBy(parent, ticks - 1)
    holdRig(dir, 'rig up')
    holdRig(dir, 'drill y') // our own process may take it again
  } finally {
    rmSync(dir, { recursive: true })
  }
})
