/** From a time of day in somebody's zone to the moment it names. The zone is always an argument: a machine's own is nobody's. */

/** As a calendar and a clock on the wall show it. */
export interface LocalTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** What the clocks of the zone show at a moment; an unknown zone is taken for UTC. */
export function localTime(epochMs: number, zone: string): LocalTime {
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value)
  const parts = formatIn(zone).formatToParts(epochMs)
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

/**
 * Moments at which the clocks of the zone show this, epoch ms, ascending: usually one, two where they were put back. Where they were
 * put forward over it, the moment that was that long after the change began.
 */
export function momentsOf(local: LocalTime, zone: string): readonly number[] {
  const asUtc = utcOf(local)
  const offsets = [...new Set([asUtc - dayMs, asUtc + dayMs].map((near) => offsetMs(near, zone)))]
  const found = offsets.map((offset) => asUtc - offset).filter((moment) => utcOf(localTime(moment, zone)) === asUtc)
  return found.length > 0 ? found.sort((a, b) => a - b) : [asUtc - offsets[0]!]
}

const dayMs = 86_400_000

/** By how much the zone is ahead of UTC. */
function offsetMs(epochMs: number, zone: string): number {
  return utcOf(localTime(epochMs, zone)) - Math.floor(epochMs / 60_000) * 60_000
}

function utcOf({ year, month, day, hour, minute }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

function formatIn(zone: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-GB', { ...fields, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...fields, timeZone: 'UTC' })
  }
}
