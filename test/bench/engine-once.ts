/** engine-once.ts PARTITIONS SAMPLES ROUNDS: a process of its own, because the most memory it ever held is one of the figures. */
import { readFileSync } from 'node:fs'
import { attribute } from '../../src/attribution/attribute.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { wideEvidence } from './wide-evidence.ts'

/** What the process prints, as one line of JSON. */
export interface EngineRun {
  readonly buildMs: readonly number[]
  readonly attributeMs: readonly number[]
  /** Resident memory with the evidence and before any judging. */
  readonly evidenceMb: number
  /** The most held up to the first verdict, which is all that a command gives; and up to the last, with what was left lying about. */
  readonly peakMb: number
  readonly peakOfAllMb: number
  readonly verdict: string
}

const [partitions = 12, samples = 115, rounds = 5] = process.argv.slice(2).map(Number)

const status = (field: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

const evidence = wideEvidence(partitions, samples)
const evidenceMb = status('VmRSS')
const [buildMs, attributeMs]: [number[], number[]] = [[], []]
let verdict = ''
let peakMb = 0
for (let round = 0; round < rounds; round += 1) {
  const startMs = performance.now()
  const timeline = buildTimeline(evidence)
  const builtMs = performance.now()
  const { outcome, cause, place } = attribute(timeline)
  buildMs.push(builtMs - startMs)
  attributeMs.push(performance.now() - builtMs)
  if (round === 0) peakMb = status('VmHWM')
  verdict = cause === null ? outcome : `${cause}, partitions ${place.partitions.join(', ')}`
}
const run: EngineRun = { buildMs, attributeMs, evidenceMb, peakMb, peakOfAllMb: status('VmHWM'), verdict }
console.log(JSON.stringify(run))
