// Waits while a fault is on, and ends early when there is nothing left to wait for.
import { statfsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { bytesNeeded } from './held.ts'
import type { Rig } from './layout.ts'
import { PEAK_RATE } from './load.ts'
import type { Say } from './up-down.ts'

const LOOK_EVERY_MS = 5_000
const SAY_EVERY_MS = 5 * 60_000

/** Throws when driver or producer end meanwhile: nothing that could be asked later would be about the fault. */
export async function holdFault(rig: Rig, ms: number, say: Say): Promise<void> {
  const until = Date.now() + ms
  let saidMs = Date.now()
  for (;;) {
    const left = until - Date.now()
    if (left <= 0) return
    await sleep(Math.min(left, LOOK_EVERY_MS))
    for (const name of ['driver', 'producer']) {
      if (rig.processes.get(name) === undefined) throw new Error(`the ${name} ended during the fault; see ${rig.processes.logFile(name)}`)
    }
    if (Date.now() - saidMs < SAY_EVERY_MS) continue
    saidMs = Date.now()
    say(`  held for ${Math.round((ms - (until - saidMs)) / 60_000)} of ${Math.round(ms / 60_000)} min`)
  }
}

/** Throws where the records of a fault this long would fill the disk: Kafka keeps them all, as history is read from it. */
export function refuseFullDisk(rig: Rig, heldMs: number): void {
  const { bavail, bsize } = statfsSync(rig.dir)
  const [free, needed] = [bavail * bsize, bytesNeeded(heldMs / 1000, PEAK_RATE)]
  if (free >= needed) return
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)
  throw new Error(`${rig.dir} has ${gigabytes(free)} GB of free disk; a fault of ${heldMs / 60_000} min needs ${gigabytes(needed)} GB`)
}
