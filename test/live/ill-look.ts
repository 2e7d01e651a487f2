/** One look of the public command at a pipeline with an ill part, and what must hold whatever is ill. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Evidence, Gap } from '../../src/incident/evidence.ts'
import type { Answered } from './ask-headwater.ts'
import { askHeadwater } from './ask-headwater.ts'

/** The deadline, and what starting Node and drawing the verdict may take besides on a machine of two busy cores. */
const LIMIT_S = 10 + 2
const LIMIT_MB = 300
/** What the configuration of a test leaves out, and what a checkpoint of 100 batches does not keep. */
const USUAL = /no Spark driver is configured|the checkpoint keeps \d+ batches/

export interface Places {
  readonly topic: string
  readonly brokers: readonly string[]
  readonly spark?: string
  readonly checkpoint: string
  readonly table: string
}

export interface Look {
  readonly outcome: string
  readonly evidence: Evidence
  /** The printed verdict with its lines joined, so that a sentence can be found in it. */
  readonly words: string
  readonly text: Answered
}

export interface Looker {
  /** `places` is asked when the look begins, so that a copied checkpoint is not an old one. */
  readonly lookAt: (name: string, places: () => Places, code?: number) => Promise<Look>
}

/** Looks are taken in two lanes: more processes at once would time the machine, not the program. Files go to `dir`. */
export function openLooker(dir: string): Looker {
  const lanes = [Promise.resolve<unknown>(undefined), Promise.resolve<unknown>(undefined)]
  let looks = 0
  return {
    lookAt(name, places, code = 0) {
      looks += 1
      const [lane, number] = [looks % lanes.length, looks]
      const look = (lanes[lane] ?? Promise.resolve()).then(() => lookNow(dir, { name, number, code }, places()))
      lanes[lane] = look.catch(() => undefined)
      return look
    },
  }
}

/** Runs the command twice, side by side: for a script (`--json`) and for a person. */
async function lookNow(dir: string, order: { name: string; number: number; code: number }, places: Places): Promise<Look> {
  const [config, bundle] = [join(dir, `headwater-${order.number}.yaml`), join(dir, `bundle-${order.number}.json`)]
  const lines = Object.entries({ ...places, brokers: `[${places.brokers.join(', ')}]`, trigger: '5s' })
  writeFileSync(config, ['pipelines:', '  orders:', ...lines.map(([key, value]) => `    ${key}: ${value}`), ''].join('\n'))
  const args = ['diagnose', 'orders', '--config', config]
  const [json, text] = await Promise.all([askHeadwater([...args, '--json', '--bundle', bundle]), askHeadwater([...args, '--verbose'])])
  for (const answered of [json, text]) {
    expect(answered.code, answered.stderr).toBe(order.code)
    expect(answered.seconds).toBeLessThan(LIMIT_S)
    expect(answered.peakMb).toBeLessThan(LIMIT_MB)
    expect(answered.stderr).not.toMatch(/Warning|error of this program|\n {4}at /)
  }
  const { outcome } = JSON.parse(json.stdout) as { outcome: string }
  const [seconds, megabytes] = [
    [json.seconds, text.seconds],
    [json.peakMb, text.peakMb],
  ]
  console.log(
    `${order.name}: ${seconds.map((one) => one?.toFixed(1)).join(' and ')} s, ${megabytes.map((one) => one?.toFixed(0)).join(' and ')} MB, ${outcome}`,
  )
  // Nothing is wrong with the pipeline itself: blaming a part of it for what was not seen would be a false verdict.
  expect(outcome, text.stdout).not.toBe('cause')
  const words = text.stdout.replaceAll(/\s+/g, ' ')
  return { outcome, evidence: JSON.parse(readFileSync(bundle, 'utf8')) as Evidence, words, text }
}

/** Gaps that a pipeline which is well would not have. */
export function illness({ evidence }: Look): readonly Gap[] {
  return evidence.gaps.filter((gap) => !USUAL.test(gap.reason))
}

export function illSources(look: Look): string[] {
  return [...new Set(illness(look).map((gap) => gap.source))]
}

/** Which sources brought what they are there for. */
export function used({ evidence }: Look): string[] {
  const { series, batches, commits } = evidence
  const names: string[] = []
  if (series.some((one) => one.signal === 'partition.log_end_offset')) names.push('kafka')
  if (batches.filter((batch) => batch.end !== null).length > 50) names.push('checkpoint')
  if (commits.length > 50) names.push('delta')
  return names
}
