/** Kills of processes and restarts of Redis, at moments drawn from a seed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../../src/demo/slack/chance.ts'
import type { Service, Town } from '../service/town.ts'

export interface Blows {
  readonly kills: number
  readonly restarts: number
  /** Spread over this long, ms. */
  readonly withinMs: number
}

/** Longest time that Redis is gone, ms. */
const awayMs = 4_000

/**
 * @param doomed those that may be killed
 * @param replaced puts another one in its place
 */
export async function deal(
  { kills, restarts, withinMs }: Blows,
  { redis }: Pick<Town, 'redis'>,
  doomed: readonly Service[],
  replaced: (place: number) => void,
  chance: Chance,
): Promise<void> {
  const moment = (): number => chance.draw() * withinMs
  const planned = [
    ...Array.from({ length: kills }, () => ({ atMs: moment(), what: 'kill' as const })),
    ...Array.from({ length: restarts }, () => ({ atMs: moment(), what: 'restart' as const })),
  ].toSorted((a, b) => a.atMs - b.atMs)
  const begin = performance.now()
  for (const { atMs, what } of planned) {
    await sleep(Math.max(0, begin + atMs - performance.now()))
    if (what === 'restart') {
      await redis.kill()
      await sleep(chance.draw() * awayMs)
      await redis.start()
      continue
    }
    const place = chance.between([0, doomed.length - 1])
    await doomed[place]!.end('SIGKILL')
    replaced(place)
  }
}
