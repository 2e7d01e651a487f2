// The rig against itself, on a rig that is up: HEADWATER_RIG names its folder. Starting one takes a minute, so this is
// skipped where none is named.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readBatches } from '../rig/checkpoint.ts'
import { executors } from '../rig/cluster.ts'
import { logEnds } from '../rig/kafka.ts'
import { isUp, openRig, WORKER_HOSTS } from '../rig/layout.ts'
import { readProduceLog } from '../rig/produce-log.ts'
import { currentSession } from '../rig/session.ts'

const folder = process.env.HEADWATER_RIG
const rig = folder === undefined ? undefined : openRig(folder)
const session = rig === undefined ? undefined : currentSession(rig)

test.skipIf(session === undefined)(
  session === undefined ? 'a running rig (skipped: HEADWATER_RIG names none)' : 'the produce log holds what the broker holds',
  { timeout: 30_000 },
  async () => {
    if (rig === undefined || session === undefined) throw new Error('no rig')
    const second = Math.floor(Date.now() / 1000)
    const ends = await logEnds(rig.brokers, session.topic)
    // the log is written once a second
    await sleep(3000)
    const { bySendTime, unknown } = readProduceLog(session.produceLog)
    expect(unknown).toBe(0)
    ends.forEach((end, partition) => {
      let before = 0
      let after = 0
      for (const [sent, records] of bySendTime.get(partition) ?? []) {
        if (sent < second - 1) before += records
        if (sent <= second + 1) after += records
      }
      expect(end).toBeGreaterThanOrEqual(before)
      expect(end).toBeLessThanOrEqual(after)
    })
  },
)

test.skipIf(session === undefined)('both hosts have an executor and batches are committed', () => {
  if (rig === undefined || session === undefined) throw new Error('no rig')
  expect(isUp(rig)).toBe(true)
  expect(
    executors(rig)
      .map((executor) => executor.host)
      .sort(),
  ).toEqual([...WORKER_HOSTS])
  const committed = readBatches(session.checkpoint, session.topic, 10).filter((batch) => batch.endMs !== undefined)
  expect(committed.length).toBeGreaterThan(0)
})
