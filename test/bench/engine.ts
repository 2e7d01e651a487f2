/** The engine in memory: timeline and verdict from evidence of growing width. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { EngineRun } from './engine-once.ts'
import { figure, title } from './figures.ts'

interface Size {
  readonly partitions: number
  readonly samples: number
  readonly rounds: number
}

const sizes: readonly Size[] = [
  { partitions: 12, samples: 115, rounds: 20 },
  { partitions: 1_000, samples: 360, rounds: 5 },
  { partitions: 10_000, samples: 720, rounds: 3 },
]

export function benchEngine(): void {
  for (const size of sizes) benchSize(size)
}

/** A process that dies of its size is a figure too, and is told as one. */
function benchSize({ partitions, samples, rounds }: Size): void {
  title(`engine: ${partitions.toLocaleString('en-US')} partitions × ${samples} samples`)
  const args = [join(import.meta.dirname, 'engine-once.ts'), `${partitions}`, `${samples}`, `${rounds}`]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const line = child.stdout.split('\n').findLast((text) => text.startsWith('{'))
  if (line === undefined) {
    const why = /heap out of memory/.test(child.stderr) ? 'out of memory at the usual heap of Node' : child.stderr.trim().split('\n').at(-1)
    console.log(`  not judged: ${why} (${child.signal ?? `exit ${child.status}`})`)
    return
  }
  const run = JSON.parse(line) as EngineRun
  figure('building the timeline', run.buildMs, 'ms')
  figure('ranking the causes', run.attributeMs, 'ms')
  figure(
    'both',
    run.buildMs.map((ms, i) => ms + (run.attributeMs[i] ?? 0)),
    'ms',
  )
  figure('memory with the evidence alone', [run.evidenceMb], 'MB RSS')
  figure('most memory held up to the first verdict', [run.peakMb], 'MB RSS')
  figure(`most memory held in ${rounds} rounds`, [run.peakOfAllMb], 'MB RSS')
  console.log(`  verdict: ${run.verdict}`)
}
