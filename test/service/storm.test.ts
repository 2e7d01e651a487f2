/** The storms of `npm run storm` in short: what it holds the service to holds here as well, with fewer of everything. */
import { describe, expect, test } from 'vitest'
import { redisProgram } from '../rig/toolchain.ts'
import { acksUnderLoad } from '../storm/acks.ts'
import { stormOverIncidents } from '../storm/incidents.ts'
import type { Row } from '../storm/rows.ts'
import { table } from '../storm/rows.ts'

/** How long something took says more of this machine than of the service: that is for the long run. */
function missed(title: string, rows: readonly Row[]): readonly string[] {
  console.log(table(title, rows))
  return rows.filter(({ held, goal }) => !held && !goal.endsWith(' ms')).map(({ what, is, goal }) => `${what}: ${is}, goal ${goal}`)
}

describe.skipIf(redisProgram() === null)('a storm', { timeout: 180_000 }, () => {
  test('over ten incidents: Slack, Redis, sources and processes misbehave, and all is as it should be afterwards', async () => {
    const rows = await stormOverIncidents({
      incidents: 10,
      channels: 3,
      seed: 20_261_130,
      withinMs: 8_000,
      chance: 0.04,
      mostLateMs: 3_000,
      blows: { kills: 3, restarts: 1 },
      restMs: 60_000,
      watchMs: 0,
      quiet: false,
      tell: console.log,
    })
    expect(missed('10 incidents', rows)).toEqual([])
  })

  test.each(['socket', 'http'] as const)(
    'of commands and presses by %s: each is acknowledged while all workers are busy',
    async (slack) => {
      const rows = await acksUnderLoad({ slack, requests: 60, withinMs: 3_000, pipelines: 4 })
      expect(missed(`60 commands and presses, ${slack}`, rows)).toEqual([])
    },
  )
})
