/** A diagnosis of the rig that is up: from the start of the command to its verdict, and what it costs those who are looked at. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answered } from '../live/ask-headwater.ts'
import { askHeadwater } from '../live/ask-headwater.ts'
import type { Rig } from '../rig/layout.ts'
import { machineTicks, processStat } from '../rig/proc.ts'
import type { Session } from '../rig/session.ts'
import { figure, title } from './figures.ts'

const ROUNDS = 6
const TICKS_PER_S = 100
/** A diagnosis ends well within; the window is whole triggers, so that each holds the same number of batches. */
const LEAST_WINDOW_MS = 5_500
const WATCHED = ['driver', 'broker1'] as const

/** Windows with a diagnosis and without alternate, so that whatever else the machine does falls on both alike. */
export async function benchLive(rig: Rig, session: Session): Promise<void> {
  const { triggerMs, partitions } = session.plan
  const windowMs = Math.ceil(LEAST_WINDOW_MS / triggerMs) * triggerMs
  title(`diagnose: live rig, ${partitions} partitions, trigger ${triggerMs / 1000} s, ${ROUNDS} runs, windows of ${windowMs / 1000} s`)
  const machine = machineTicks()
  const answers: Answered[] = []
  const [idle, busy] = [
    { driver: [], broker1: [] },
    { driver: [], broker1: [] },
  ] as [Costs, Costs]
  for (let round = 0; round < ROUNDS; round += 1) {
    await inWindow(rig, windowMs, idle, async () => undefined)
    await inWindow(rig, windowMs, busy, async () => {
      answers.push(await askHeadwater(['diagnose', 'orders', '--config', session.config, '--json', '--verbose']))
    })
  }
  const bad = answers.filter((one) => one.code !== 0)
  for (const one of bad) console.log(`  failed with exit ${one.code}: ${one.stderr.trim().split('\n').at(-1)}`)
  const good = answers.filter((one) => one.code === 0)
  figure(
    'start to verdict',
    good.map((one) => one.seconds),
    's',
    '≤ 5 s median',
  )
  figure(
    'most memory of the command',
    good.flatMap((one) => one.peakMb ?? []),
    'MB RSS',
    '< 300 MB',
  )
  figure(
    'CPU of the command',
    good.flatMap((one) => one.cpuSeconds ?? []),
    's',
  )
  for (const [name, values] of [...perSource(good)].sort(byName)) figure(name, values, 's')
  for (const [name, { requests, bytes }] of [...perTarget(good)].sort(byName)) {
    figure(`${name}: requests`, requests, '')
    figure(`${name}: both ways`, bytes, 'KiB')
  }
  for (const name of WATCHED) {
    figure(`${name}: CPU without a diagnosis`, idle[name], 's')
    figure(`${name}: CPU with a diagnosis`, busy[name], 's')
    const extra = busy[name].map((seconds, i) => seconds - (idle[name][i] ?? 0))
    figure(`${name}: CPU that a diagnosis costs`, extra, 's', '≤ 1 s')
  }
  const { busy: now, total } = machineTicks()
  console.log(`  machine busy meanwhile: ${Math.round((100 * (now - machine.busy)) / (total - machine.total))} % of all cores`)
}

type Costs = Record<(typeof WATCHED)[number], number[]>

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** Does `work` and waits for the end of the window; adds the CPU seconds of driver and broker in it. */
async function inWindow(rig: Rig, windowMs: number, costs: Costs, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + windowMs
  const ticks = (name: string): number => processStat(rig.processes.get(name)?.pid ?? 0)?.cpuTicks ?? Number.NaN
  const before = WATCHED.map(ticks)
  await work()
  await sleep(Math.max(0, until - performance.now()))
  for (const [i, name] of WATCHED.entries()) costs[name].push((ticks(name) - (before[i] ?? 0)) / TICKS_PER_S)
}

/** "  kafka        look 1    0.44 s" of --verbose. */
function perSource(answers: readonly Answered[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { stderr } of answers) {
    for (const [, source = '', turn = '', seconds = ''] of stderr.matchAll(/^ {2}(\S+) +look (\d) +([\d.]+) s/gm)) {
      const name = `${source}, look ${turn}`
      found.set(name, [...(found.get(name) ?? []), Number(seconds)])
    }
  }
  return found
}

/** "  driver 127.0.0.1:4040    27 requests     131.4 KiB" of --verbose; folders by their last name. */
function perTarget(answers: readonly Answered[]): Map<string, { readonly requests: number[]; readonly bytes: number[] }> {
  const found = new Map<string, { readonly requests: number[]; readonly bytes: number[] }>()
  for (const { stderr } of answers) {
    for (const [, target = '', requests = '', bytes = ''] of stderr.matchAll(/^ {2}(\S.*?) +(\d+) requests +([\d.]+) KiB/gm)) {
      const name = target.replace(/\/\S*\//, '…/')
      const sums = found.get(name) ?? { requests: [], bytes: [] }
      found.set(name, sums)
      sums.requests.push(Number(requests))
      sums.bytes.push(Number(bytes))
    }
  }
  return found
}
