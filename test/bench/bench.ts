/**
 * npm run bench [-- attribution | --rig]: every figure of the product in one run, each with how often it was taken, median and spread.
 * Without a word: the engine up to 10,000 partitions, replays, the history of an unwatched broker, and a live diagnosis where a rig is
 * up (`npm run rig -- up`). `--rig` starts one for it and takes it down again; `attribution` measures the engine alone.
 * What could not be measured is said with its reason, the rest is measured all the same, and the exit code is 1.
 */
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { missingTools } from '../rig/toolchain.ts'
import { benchEngine } from './engine.ts'
import { title } from './figures.ts'
import { benchHistory } from './history.ts'
import { benchLive } from './live.ts'
import { benchReplays } from './replays.ts'
import { withRig } from './with-rig.ts'

const words = process.argv.slice(2)
const unknown = words.filter((word) => word !== 'attribution' && word !== '--rig')
if (unknown.length > 0) {
  console.error(`bench: no "${unknown.join(' ')}"; npm run bench [-- attribution | --rig]`)
  process.exit(1)
}

/** One part; its failure is told and costs no other part. */
async function part(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    title(`${name}: not measured, ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}

const load = readFileSync('/proc/loadavg', 'utf8').split(' ', 1)[0]
console.log(
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load ${load}; median, then least … most`,
)
benchEngine()
if (!words.includes('attribution')) {
  await part('replay', benchReplays)
  const missing = missingTools()
  if (missing.length > 0) title(`history and diagnose: not measured, ${missing.join(', ')} missing`)
  else {
    await part('history', benchHistory)
    await part('diagnose', () => withRig(words.includes('--rig'), benchLive))
  }
}
// a part that ran out of time may still be waiting for something
process.exit()
