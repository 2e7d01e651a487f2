/** Ticks at round times of the reader's zone: every quarter hour there, also where the zone is half an hour off UTC. */
import type { WallClock } from '../wall-clock.ts'
import type { Layout } from './layout.ts'
import { plotOf } from './layout.ts'
import { ink } from './look.ts'
import type { ShownWindow } from './shown-window.ts'
import { segment, text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'

const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400] as const

export interface Tick {
  /** Seconds since window.from. */
  readonly t: number
  readonly label: string
}

export function timeTicks(window: ShownWindow, zeroS: number, clock: WallClock, most: number): Tick[] {
  const length = window.to - window.from
  const step = steps.find((candidate) => length / candidate <= most) ?? 86_400 * Math.ceil(length / 86_400 / most)
  const offset = clock.offsetS(zeroS + window.from)
  const first = Math.ceil((zeroS + window.from + offset) / step) * step - offset
  const ticks: Tick[] = []
  for (let at = first; at <= zeroS + window.to; at += step) {
    ticks.push({ t: at - zeroS, label: step < 60 ? clock.time(at) : clock.minute(at) })
  }
  return ticks
}

/** @param nowS when the picture ends, epoch seconds */
export function timeAxis(
  ticks: readonly Tick[],
  x: (t: number) => number,
  bottom: number,
  nowS: number,
  clock: WallClock,
  layout: Layout,
): string {
  const [left, right] = plotOf(layout)
  const { tick: size } = layout.type
  const end = layout.labels === 'beside' ? null : endOf(nowS, clock, layout)
  const y = bottom + (end === null ? 34 : 32)
  const last = end === null ? right + 12 : layout.width - layout.edge - textWidth(end, size) - 16
  const marks = ticks.map(({ t, label }) => {
    const half = textWidth(label, size) / 2
    // A label that would reach into the time of asking gives way to it.
    const words = x(t) + half > last ? '' : text(x(t), y, label, { size, color: ink.quiet, anchor: 'middle' })
    return segment(x(t), bottom, x(t), bottom + 9, { stroke: ink.axis, 'stroke-width': 2 }) + words
  })
  if (end !== null) return marks.join('') + text(layout.width - layout.edge, y, end, { size, color: ink.text, anchor: 'end' })
  const now = text(right + 22, y, clock.time(nowS), { size, color: ink.text })
  const zone = text((left + right) / 2, bottom + 70, `time of day, ${clock.zone}`, { size, color: ink.quiet, anchor: 'middle' })
  return marks.join('') + now + zone
}

/** A long zone leaves room for the times before it. */
const widestZone = 240

const endOf = (nowS: number, clock: WallClock, { type }: Layout): string =>
  `${clock.time(nowS)} ${fitted(clock.zone, widestZone, type.tick)}`
