import { readFileSync } from 'node:fs'
import { Resvg } from '@resvg/resvg-js'
import { expect, test } from 'vitest'
import { fontFamily, fontFiles } from '../../src/picture/fonts.ts'
import { renderPng } from '../../src/picture/png.ts'
import { storyChart } from '../../src/report/chart.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'

const page = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" viewBox="0 0 400 100"><rect width="400" height="100" fill="#fff"/>${inside}</svg>`
const word = (weight: number): string =>
  `<text x="10" y="60" font-family="Inter" font-size="40" font-weight="${weight}" fill="#000">orders 3</text>`

/** Dark pixels of a PNG, which resvg itself reads back. */
function darkPixels(png: Uint8Array): number {
  const data = Buffer.from(png).toString('base64')
  const { pixels } = new Resvg(page(`<image width="400" height="100" href="data:image/png;base64,${data}"/>`)).render()
  let dark = 0
  for (let i = 0; i < pixels.length; i += 4) if ((pixels[i] as number) < 128) dark++
  return dark
}

test('text is really drawn', async () => {
  const regular = darkPixels(await renderPng(page(word(400)), { width: 400 }))
  const semibold = darkPixels(await renderPng(page(word(600)), { width: 400 }))
  expect(darkPixels(await renderPng(page(''), { width: 400 }))).toBe(0)
  expect(regular).toBeGreaterThan(800)
  // Both weights come from their own file.
  expect(semibold).toBeGreaterThan(regular * 1.15)
})

test('the trap is there: without fonts all text vanishes and nothing is said', () => {
  const bare = new Resvg(page(word(400)), { font: { loadSystemFonts: false, fontFiles: [] } }).render()
  expect(darkPixels(bare.asPng())).toBe(0)
})

test('the font files are those of the family', () => {
  for (const file of Object.values(fontFiles)) expect(readFileSync(file).readUInt32BE(0)).toBe(0x00010000)
  expect(fontFamily).toBe('Inter')
})

test('the picture is as wide as asked, and a story chart fits into a message', async () => {
  const timeline = timelineOf({ kind: 'hot_partition', topic: 'a & b <c> "d"' })
  const png = await renderPng(storyChart(timeline, verdictOf('hot_partition', timeline), { zone: 'Europe/Berlin' }), { width: 800 })
  const header = Buffer.from(png)
  expect(header.toString('latin1', 1, 4)).toBe('PNG')
  expect(header.readUInt32BE(16)).toBe(800)
  expect(png.length).toBeLessThan(500_000)
})
