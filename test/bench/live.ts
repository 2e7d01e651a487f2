/** A diagnosis of a rig that is up: from the start of the command to its verdict, and what it costs those who are looked at. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answered } from '../live/ask-headwater.ts'
import { askHeadwater } from '../live/ask-headwater.ts'
import type { Rig } from '../rig/layout.ts'
import { machineTicks, processStat } from '../rig/proc.ts'
import type { Session } from '../rig/session.ts'
import { perSource, perTarget } from './effort-lines.ts'
import { figure, title } from './figures.ts'
import type { Window } from './windows.ts'
import { extraOf } from './windows.ts'

const ROUNDS = 6
const TICKS_PER_S = 100
/** A diagnosis ends well within; the window is whole triggers, so that each holds the same number of batches. */
const LEAST_WINDOW_MS = 5_500
const WATCHED = ['driver', 'broker1'] as const

/** Windows with a diagnosis and without alternate, so that whatever else the machine does falls on both alike. Throws when none was answered. */
export async function benchLive(rig: Rig, session: Session): Promise<void> {
  const { triggerMs, partitions } = session.plan
  const windowMs = Math.ceil(LEAST_WINDOW_MS / triggerMs) * triggerMs
  title(`diagnose: live rig, ${partitions} partitions, trigger ${triggerMs / 1000} s, ${ROUNDS} runs, windows of ${windowMs / 1000} s`)
  const machine = machineTicks()
  const answers: Answered[] = []
  const [idle, busy]: [Window[], Window[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(await inWindow(rig, windowMs, async () => undefined))
    busy.push(
      await inWindow(rig, windowMs, async () => {
        answers.push(await askHeadwater(['diagnose', 'orders', '--config', session.config, '--json', '--verbose']))
      }),
    )
  }
  const good = answers.filter((one) => one.code === 0)
  for (const one of answers.filter((each) => each.code !== 0)) {
    console.log(`  failed with exit ${one.code}: ${one.stderr.trim().split('\n').at(-1)}`)
  }
  printAnswers(good)
  for (const name of WATCHED) {
    figure(
      `${name}: CPU without a diagnosis`,
      idle.map((one) => one.cpuSeconds[name] ?? Number.NaN),
      's',
    )
    figure(`${name}: CPU that a diagnosis costs`, extraOf(name, idle, busy), 's', '≤ 1 s')
  }
  const { busy: now, total } = machineTicks()
  console.log(`  machine busy meanwhile: ${Math.round((100 * (now - machine.busy)) / (total - machine.total))} % of all cores`)
  if (good.length < answers.length) throw new Error(`${answers.length - good.length} of ${answers.length} runs failed`)
}

function printAnswers(good: readonly Answered[]): void {
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
  const said = good.map((one) => one.stderr)
  for (const [name, values] of perSource(said)) figure(name, values, 's')
  for (const [name, { requests, kib }] of perTarget(said)) {
    figure(`${name}: requests`, requests, '')
    figure(`${name}: both ways`, kib, 'KiB')
  }
}

/** Does `work` and waits for the end of the window. @returns the CPU seconds of driver and broker in it */
async function inWindow(rig: Rig, windowMs: number, work: () => Promise<void>): Promise<Window> {
  const startMs = performance.now()
  const ticks = (): number[] => WATCHED.map((name) => processStat(rig.processes.get(name)?.pid ?? 0)?.cpuTicks ?? Number.NaN)
  const before = ticks()
  await work()
  await sleep(Math.max(0, startMs + windowMs - performance.now()))
  const after = ticks()
  const cpu = WATCHED.map((name, i) => [name, ((after[i] ?? Number.NaN) - (before[i] ?? Number.NaN)) / TICKS_PER_S])
  return { seconds: (performance.now() - startMs) / 1000, cpuSeconds: Object.fromEntries(cpu) }
}
