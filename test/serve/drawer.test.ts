/** Pictures are drawn in a thread of their own, which may die of one and draws the next. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { replayBundle } from '../../src/app.ts'
import { homeChart } from '../../src/report/messages/incident/home.ts'
import type { Drawer } from '../../src/serve/drawer.ts'
import { createDrawer } from '../../src/serve/drawer.ts'
import { bundleOf, judgedOf } from '../build/attend-ports.ts'
import { proposal } from '../build/incident.ts'

const judged = judgedOf(bundleOf('hot_partition'))
let drawer: Drawer
afterEach(() => drawer.close())

const widthOf = (png: Uint8Array): number => new DataView(png.buffer, png.byteOffset).getUint32(16)

test('as wide as the message wants it; the same twice is the same, byte for byte', async () => {
  drawer = createDrawer('UTC')
  const [one, other] = await Promise.all([drawer.draw(judged, homeChart), drawer.draw(judged, homeChart)])
  expect(widthOf(one)).toBe(1600)
  expect(Buffer.compare(one, other)).toBe(0)
})

test('before and after a change are one picture, as wide', async () => {
  drawer = createDrawer('UTC')
  const before = replayBundle(readFileSync(join(import.meta.dirname, '../drills/hot_partition-live-3.json.gz')))
  const appliedAtMs = Date.parse(before.evidence.asked_at)
  const png = await drawer.drawCheck({ proposal: proposal(), appliedAtMs, looks: [before], outcome: 'recovered', measured: [] })
  expect(widthOf(png)).toBe(1600)
})

test('what cannot be drawn is said, and costs no other picture', async () => {
  drawer = createDrawer('UTC')
  const broken = { ...judged, timeline: null } as unknown as typeof judged
  const [failed, drawn] = await Promise.allSettled([drawer.draw(broken, homeChart), drawer.draw(judged, homeChart)])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'internal', message: expect.stringContaining('could not be drawn') } })
  expect(drawn.status).toBe('fulfilled')
})

test('who waits when the thread ends is told, and the next picture gets a new thread', async () => {
  drawer = createDrawer('UTC')
  const waiting = drawer.draw(judged, homeChart)
  await Promise.all([drawer.close(), expect(waiting).rejects.toMatchObject({ code: 'internal' })])
  expect(widthOf(await drawer.draw(judged, homeChart))).toBe(1600)
})
