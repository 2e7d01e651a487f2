/** Ticks at round times of the reader's zone: every quarter hour there, also where the zone is half an hour off UTC. */
import type { WallClock } from '../wall-clock.ts'
import type { ShownWindow } from './shown-window.ts'

const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400] as const

export interface Tick {
  /** Seconds since window.from. */
  readonly t: number
  readonly label: string
}

export function timeTicks(window: ShownWindow, zeroS: number, clock: WallClock, most: number): Tick[] {
  const length = window.to - window.from
  const step = steps.find((candidate) => length / candidate <= most) ?? 86_400
  const offset = clock.offsetS(zeroS + window.from)
  const first = Math.ceil((zeroS + window.from + offset) / step) * step - offset
  const ticks: Tick[] = []
  for (let at = first; at <= zeroS + window.to; at += step) {
    ticks.push({ t: at - zeroS, label: step < 60 ? clock.time(at) : clock.minute(at) })
  }
  return ticks
}
