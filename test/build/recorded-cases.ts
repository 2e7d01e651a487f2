/** Every recorded incident of the tests, judged once: what people would read of real runs. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident } from '../../src/incident/incident.ts'
import { declaredIn } from '../../src/proposal/declared.ts'
import { propose } from '../../src/proposal/propose.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import type { Judgement } from '../../src/workflow/judge.ts'
import { judge } from '../../src/workflow/judge.ts'
import { alert, opened, verdict } from './incident.ts'

const folders = ['../drills', '../fixtures/bundles'].map((folder) => join(import.meta.dirname, folder))

export const recordedPaths: readonly string[] = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json.gz'))
    .map((file) => join(folder, file)),
)

export const caseName = (path: string): string => basename(path, '.json.gz')

const judged = new Map<string, Judgement>()

export function judgedCase(path: string): Judgement {
  const known = judged.get(path) ?? judge(readBundle(readFileSync(path)))
  judged.set(path, known)
  return known
}

/** The incident as an alert would have brought it: verdict and remedy of this version. */
export function incidentOf(judgement: Judgement): Incident {
  const { attribution, timeline, evidence } = judgement
  const atMs = Math.round((timeline.zeroS + timeline.now) * 1000)
  const { outcome, cause, place, headline } = attribution
  const pipeline = evidence.pipeline.name
  const note = { ...verdict({ outcome, cause, place, headline }), atMs }
  return conclude(opened(alert({ atMs, pipeline })), note, propose(judgement, declaredIn(evidence)), atMs)
}
