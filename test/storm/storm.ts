/**
 * npm run storm [-- PART…] [-- --incidents 500 --seed 1]: the service under what it has to bear, whole processes over a real Redis, before a
 * stand-in of Slack; prints a table of figures per part and exits with 1 when a goal is missed. Parts, each of which can be run alone:
 *
 *   incidents  many incidents while Slack, Redis, sources and workers misbehave
 *   acks       commands and presses while the workers have more to do than they can, by Socket Mode and by HTTP
 *   alerts     10,000 alerts about 40 pipelines by two senders
 */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { ensureRedis } from '../rig/toolchain.ts'
import { acksUnderLoad } from './acks.ts'
import { alertStorm } from './alerts.ts'
import { stormOverIncidents } from './incidents.ts'
import type { Row } from './rows.ts'
import { table } from './rows.ts'

const { values, positionals } = parseArgs({
  options: { incidents: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const incidents = Number(values.incidents)
const seed = Number(values.seed)

type Over = (end: () => Promise<void>) => void

const parts: Readonly<Record<string, { readonly title: string; readonly run: (over: Over) => Promise<readonly Row[]> }>> = {
  incidents: {
    title: `${incidents} incidents, seed ${seed}`,
    run: (over) =>
      stormOverIncidents({
        incidents,
        channels: 40,
        seed,
        over,
        tell,
        withinMs: Math.max(60_000, incidents * 600),
        chance: 0.02,
        mostLateMs: 60_000,
        blows: { kills: Math.ceil(incidents / 10), restarts: 6 },
        restMs: 120_000,
        watchMs: 120_000,
        quiet: true,
      }),
  },
  acks: {
    title: '1,000 commands and presses while the workers are saturated',
    run: async (over) => [
      ...(await acksUnderLoad({ slack: 'socket', requests: 1_000, withinMs: 60_000, pipelines: 50, over })),
      ...(await acksUnderLoad({ slack: 'http', requests: 1_000, withinMs: 60_000, pipelines: 50, over })),
      ...(await acksUnderLoad({ slack: 'http', together: true, requests: 1_000, withinMs: 60_000, pipelines: 50, over })),
    ],
  },
  alerts: {
    title: '10,000 alerts within 30 s about 40 pipelines, each by two senders',
    run: (over) => alertStorm({ alerts: 10_000, withinMs: 30_000, pipelines: 40, over }),
  },
}

function tell(line: string): void {
  console.log(line)
}

const wanted = positionals.length === 0 ? Object.keys(parts) : positionals
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0 || !(incidents > 0) || !Number.isInteger(seed)) {
  console.error(`storm: npm run storm [-- ${Object.keys(parts).join(' | ')}] [-- --incidents 500 --seed 1]`)
  process.exit(1)
}
if (!ensureRedis(tell)) {
  console.error('storm: no redis-server or valkey-server found (on Debian: apt-get install redis-tools)')
  process.exit(1)
}

const ends: (() => Promise<void>)[] = []
const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end()
}
process.once('SIGINT', () => void endAll().finally(() => process.exit(130)))
process.once('SIGTERM', () => void endAll().finally(() => process.exit(143)))

let missed = 0
for (const name of wanted) {
  const { title, run } = parts[name]!
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ', 1)[0]
  tell(`\n${title}: begins (${cpus().length} cores, load ${load})`)
  try {
    const rows = await run((end) => ends.push(end))
    tell(table(title, rows))
    missed += rows.filter(({ held }) => !held).length
  } catch (error) {
    tell(`${title}: ended early: ${error instanceof Error ? error.stack : error}`)
    missed++
  }
  await endAll()
}
tell(missed === 0 ? '\nevery goal is held' : `\n${missed} goals missed`)
process.exit(missed === 0 ? 0 : 1)
