import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from './proc.ts'
import { Processes } from './processes.ts'
import { takeDown } from './up-down.ts'

test('what a start that was cut short left behind is ended, and nothing where nothing was', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'up-down-'))
  const said: string[] = []
  try {
    // recorded, but the rig itself never was
    const left = new Processes(dir).start('worker1', 'sleep', ['60'])
    await takeDown(dir, (line) => said.push(line))
    expect(isRunning(left)).toBe(false)
    await takeDown(dir, (line) => said.push(line))
    expect(said).toEqual(['ended 1 processes', `no rig in ${dir}`])
  } finally {
    rmSync(dir, { recursive: true })
  }
})
