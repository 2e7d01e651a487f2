/** Kept and recorded bundles through the whole engine: from the bytes of the file to the verdict, and to the picture. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawChart, replayBundle } from '../../src/app.ts'
import { REPOSITORY } from '../rig/layout.ts'
import { figure, title } from './figures.ts'

const FOLDERS = ['test/drills', 'src/demo/recordings', 'test/fixtures/bundles']
const ROUNDS = 5

export async function benchReplays(): Promise<void> {
  const files = FOLDERS.map((folder) => join(REPOSITORY, folder))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\.json(\.gz)?$/.test(path))
  title(`replay: ${files.length} bundles of ${FOLDERS.join(', ')}, ${ROUNDS} rounds; the first round compiles`)
  const [judged, svg, png]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const file of files) {
      const content = readFileSync(file)
      const startMs = performance.now()
      const judgement = replayBundle(content)
      judged.push(performance.now() - startMs)
      svg.push(await msOf(() => drawChart(judgement, 'UTC', 'svg')))
      // A picture is slow enough to be drawn once of each.
      if (round === 1) png.push(await msOf(() => drawChart(judgement, 'UTC', 'png')))
    }
  }
  figure('bytes to verdict', judged, 'ms')
  figure('verdict to chart (SVG)', svg, 'ms')
  figure('verdict to picture (SVG and PNG)', png, 'ms')
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
