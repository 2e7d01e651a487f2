/** Ticks at round times of the reader's zone: every quarter hour there, also where the zone is half an hour off UTC. */
import type { WallClock } from '../wall-clock.ts'
import { ink, page, type } from './look.ts'
import type { ShownWindow } from './shown-window.ts'
import { segment, text } from './svg.ts'
import { textWidth } from './text-width.ts'

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

/** @param nowS when the picture ends, epoch seconds */
export function timeAxis(ticks: readonly Tick[], x: (t: number) => number, bottom: number, nowS: number, clock: WallClock): string {
  const right = page.width - page.right
  const now = text(right + 22, bottom + 34, clock.time(nowS), { size: type.tick, color: ink.text })
  const marks = ticks.map(({ t, label }) => {
    const half = textWidth(label, type.tick) / 2
    // A label that would reach into the time of asking gives way to it.
    const words = x(t) + half > right + 12 ? '' : text(x(t), bottom + 34, label, { size: type.tick, color: ink.quiet, anchor: 'middle' })
    return segment(x(t), bottom, x(t), bottom + 9, { stroke: ink.axis, 'stroke-width': 2 }) + words
  })
  const zone = text((page.left + right) / 2, bottom + 70, `time of day, ${clock.zone}`, {
    size: type.tick,
    color: ink.quiet,
    anchor: 'middle',
  })
  return marks.join('') + now + zone
}
