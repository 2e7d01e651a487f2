/**
 * npm run bench [-- attribution | --rig]: every figure of the product in one run, each with how often it was taken, median and spread.
 * Without a word: the engine, replays, the history of an unwatched broker, and a live diagnosis where a rig is up (`npm run rig -- up`).
 * `--rig` starts one for it and takes it down again; `attribution` measures the engine alone, up to 10,000 partitions.
 */
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_DIR, isUp, openRig } from '../rig/layout.ts'
import { drawLoad, drawWorkShare } from '../rig/load.ts'
import { drawFrom } from '../rig/prng.ts'
import { currentSession } from '../rig/session.ts'
import { setLoad } from '../rig/standing-load.ts'
import { missingTools } from '../rig/toolchain.ts'
import { bringUp, takeDown } from '../rig/up-down.ts'
import { benchEngine, benchWidest } from './engine.ts'
import { title } from './figures.ts'
import { benchHistory } from './history.ts'
import { benchLive } from './live.ts'
import { benchReplays } from './replays.ts'

const SEED = 1
/** Long enough for the JVMs of a fresh rig to be warm. */
const WARM_UP_MS = 90_000

async function liveFigures(start: boolean): Promise<void> {
  const found = openRig(DEFAULT_DIR)
  const running = found !== undefined && isUp(found) && currentSession(found) !== undefined ? found : undefined
  if (running === undefined && !start) {
    title('diagnose: not measured, no rig is up (npm run rig -- up, or npm run bench -- --rig)')
    return
  }
  const rig = running ?? (await bringUp(DEFAULT_DIR, { brokers: 1, seed: SEED }, (line) => console.log(line)))
  try {
    const session = currentSession(rig)
    if (session === undefined) throw new Error('the rig is up without a session')
    if (running === undefined) {
      const draw = drawFrom('bench', SEED)
      setLoad(rig, session.number, drawLoad(draw, session.plan, { workShare: drawWorkShare(draw, session.plan) }))
      await sleep(WARM_UP_MS)
    }
    await benchLive(rig, session)
  } finally {
    if (running === undefined) await takeDown(DEFAULT_DIR, (line) => console.log(line))
  }
}

const words = process.argv.slice(2)
const unknown = words.filter((word) => word !== 'attribution' && word !== '--rig')
if (unknown.length > 0) {
  console.error(`bench: no "${unknown.join(' ')}"; npm run bench [-- attribution | --rig]`)
  process.exit(1)
}
const load = readFileSync('/proc/loadavg', 'utf8').split(' ', 1)[0]
console.log(
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load ${load}; median, then least … most`,
)
benchEngine()
if (words.includes('attribution')) benchWidest()
else {
  await benchReplays()
  const missing = missingTools()
  if (missing.length > 0) title(`history and diagnose: not measured, ${missing.join(', ')} missing`)
  else {
    await benchHistory()
    await liveFigures(words.includes('--rig'))
  }
}
