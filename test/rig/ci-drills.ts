// The drills that a commit must pass: four kinds drawn by its hash, on one rig start.
import { mkdirSync } from 'node:fs'
import type { Acceptance } from './accept.ts'
import { acceptDrills, drawForCommit } from './accept.ts'
import { drillText } from './drill-text.ts'
import { runDrill } from './run-drill.ts'
import { drawSession } from './session-plan.ts'
import type { Say } from './up-down.ts'
import { bringUp, takeDown } from './up-down.ts'

export interface CiDrillOptions {
  /** Any text that names the commit; everything is drawn from it. */
  readonly commit: string
  /** Folder of the rig. */
  readonly dir: string
  /** Bundles of all drills go here, `KIND-SEED.json.gz`; a wrong verdict is worth keeping. */
  readonly keepBundle: string
}

/** Starts the rig, runs the commit's drills, stops the rig. Throws when the rig itself fails. */
export async function ciDrills({ commit, dir, keepBundle }: CiDrillOptions, say: Say): Promise<Acceptance> {
  const { sessionSeed, tasks } = drawForCommit(commit)
  say(`drills of ${commit}: job seed ${sessionSeed}; ${tasks.map(({ kind, seed }) => `${kind} ${seed}`).join(', ')}`)
  mkdirSync(keepBundle, { recursive: true })
  const plan = drawSession(sessionSeed)
  const rig = await bringUp(dir, { brokers: 1, seed: undefined }, say)
  try {
    const acceptance = await acceptDrills(tasks, async ({ kind, seed }, following) => {
      const next = following === undefined ? undefined : { ...following, plan }
      const record = await runDrill(rig, { kind, seed, plan, ask: true, next, keepBundle }, say)
      say(drillText(record))
      return record
    })
    for (const line of acceptance.lines) say(line)
    for (const record of acceptance.wrong) say(`wrong verdict kept: ${record.bundle}`)
    return acceptance
  } finally {
    await takeDown(dir, say)
  }
}
