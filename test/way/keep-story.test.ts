import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readStory } from '../../src/demo/story.ts'
import type { Findings } from '../../src/incident/findings.ts'
import { lateBatches } from './alert.ts'
import { keepStory } from './keep-story.ts'
import type { Walked } from './walked.ts'

const session = '/home/somebody/.rig/run/sessions/7'

/** One look that names a folder, below the session's or elsewhere. */
function walked(folder: string): Walked {
  const findings = {
    source: 'checkpoint',
    gaps: [{ source: 'checkpoint', signal: null, reason: `slow: ${folder}` }],
  } as unknown as Findings
  return {
    ending: 'recovered',
    alert: lateBatches(60_000),
    described: { topic: 'orders-s7', checkpoint: `${session}/ckpt`, table: `${session}/table` },
    triggerMs: 5000,
    moments: { alertMs: 60_000, verdictMs: 64_000, approvedMs: 70_000, turnedMs: 200_000, appliedMs: 230_000, outcomeMs: 590_000 },
    turned: { agreed: 'minPartitions: not set → 17 tasks', really: 'the query was started anew', right: true },
    outcome: 'recovered',
    checks: [],
    pictures: [],
    texts: [],
    looks: [{ askedAtMs: 61_000, turns: [{ source: 'checkpoint', turn: 1, findings }] }],
  }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'story-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('what is kept is what the demo reads, with names that a pipeline has', async () => {
  const to = folder()
  keepStory(to, walked(`${session}/ckpt`), 'one day')
  const story = await readStory('recovered', to)
  expect(story.pipeline).toEqual({ topic: 'orders', checkpoint: '/data/orders/ckpt', table: '/data/orders/table' })
  expect(story.looks.map(({ askedAtMs, turns }) => [askedAtMs, turns[0]?.findings.gaps[0]?.reason])).toEqual([
    [61_000, 'slow: /data/orders/ckpt'],
  ])
  expect(story.moments).toMatchObject({ alertMs: 60_000, appliedMs: 230_000 })
  expect(readFileSync(join(to, 'recovered.story.json'), 'utf8')).not.toContain('somebody')
})

test('nothing of this machine is kept', () => {
  const to = folder()
  expect(() => keepStory(to, walked('/home/somebody/notes'), 'one day')).toThrow('this machine still stands in it: /home/somebody/notes')
})
