// The load that is on, since when: calm time goes on counting between two drills as long as nothing changes.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAppControl } from './job.ts'
import type { Rig } from './layout.ts'
import { readJson, writeJson } from './layout.ts'
import type { Load } from './load.ts'
import { producing, working } from './load.ts'
import { writeProducerControl } from './producer-control.ts'

interface Standing {
  readonly session: number
  readonly load: Load
  readonly sinceMs: number
}

const file = (rig: Rig): string => join(rig.dir, 'load.json')

/** Puts a load on, both control files as a whole, unless it is on. Returns since when it stands. */
export function setLoad(rig: Rig, session: number, load: Load): number {
  if (existsSync(file(rig))) {
    const standing = readJson(file(rig)) as Standing
    if (standing.session === session && JSON.stringify(standing.load) === JSON.stringify(load)) return standing.sinceMs
  }
  return resetLoad(rig, session, load)
}

/** Puts the load on anew, so that whatever a fault changed is gone; calm time starts from here. */
export function resetLoad(rig: Rig, session: number, load: Load): number {
  const sinceMs = Date.now()
  writeAppControl(rig.appControl, working(load))
  writeProducerControl(rig.producerControl, producing(load))
  writeJson(file(rig), { session, load, sinceMs } satisfies Standing)
  return sinceMs
}

/** Before a fault: from now on what is on is more than the load. A drill that is killed leaves it so, and the next one starts anew. */
export function forgetLoad(rig: Rig): void {
  rmSync(file(rig), { force: true })
}
