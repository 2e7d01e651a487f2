/** A live rig to measure on: one that is up and free, left as it is; or one of our own, started calm and taken down again. */
import { join } from 'node:path'
import type { Rig } from '../rig/layout.ts'
import { DEFAULT_DIR, isUp, openRig, REPOSITORY } from '../rig/layout.ts'
import { drawLoad, drawWorkShare } from '../rig/load.ts'
import { holdRig } from '../rig/lock.ts'
import { drawFrom } from '../rig/prng.ts'
import type { Session } from '../rig/session.ts'
import { currentSession } from '../rig/session.ts'
import { drawSession } from '../rig/session-plan.ts'
import { bringUp, takeDown } from '../rig/up-down.ts'
import { waitForCalm } from '../rig/wait-for-calm.ts'
import { ended } from './ended.ts'
import { title } from './figures.ts'

/**
 * Our own folder, so that what is taken down is ours. A run that was killed leaves its rig there: the next one goes on with it where it
 * is whole, or clears it away where it is not, and takes it down at the end as its own.
 */
const OWN_DIR = join(REPOSITORY, '.rig', 'bench')
const SEED = 1
/** The shortest trigger that is drawn: most batches, and so most to read, in a given time. */
const TRIGGER_MS = 5_000
/** Jars over a slow line, two starts of the job, twenty calm batches after each, the measurement itself. */
const LIMIT_MS = 25 * 60_000

const say = (line: string): void => console.log(line)

export async function withRig(start: boolean, use: (rig: Rig, session: Session) => Promise<void>): Promise<void> {
  const found = openRig(DEFAULT_DIR)
  const session = found !== undefined && isUp(found) ? currentSession(found) : undefined
  if (found !== undefined && session !== undefined) {
    // a drill that runs on it would be measured instead
    holdRig(DEFAULT_DIR, 'bench')
    return await use(found, session)
  }
  if (!start) {
    title('diagnose: not measured, no rig is up (npm run rig -- up, or npm run bench -- --rig)')
    return
  }
  title('diagnose: starting a rig')
  holdRig(OWN_DIR, 'bench')
  await ended(
    LIMIT_MS,
    async () => {
      const rig = await bringUp(OWN_DIR, { brokers: 1, seed: undefined }, say)
      const plan = { ...drawSession(SEED), triggerMs: TRIGGER_MS }
      const draw = drawFrom('bench', SEED)
      const load = drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) })
      const ready = await waitForCalm(rig, plan, load, say)
      await use(rig, ready.session)
    },
    () => takeDown(OWN_DIR, say),
  )
}
