/** Times of day in a reader's zone. Everything inside counts seconds; only here do they become hours and minutes. */

export interface WallClock {
  /** Named once beside the times, never repeated with each. */
  readonly zone: string
  /** 14:02:10 */
  readonly time: (epochS: number) => string
  /** 14:02 */
  readonly minute: (epochS: number) => string
  /** 2026-11-30 */
  readonly day: (epochS: number) => string
  /** The time, with its date where it is not the day of `nowS`. */
  readonly moment: (epochS: number, nowS: number) => string
  /** Seconds by which the zone is ahead of UTC at that time. */
  readonly offsetS: (epochS: number) => number
}

/** An unknown zone must not cost the verdict: then it is UTC, and says so. */
export function wallClock(zone: string): WallClock {
  const format = formatIn(zone) ?? (formatIn('UTC') as Intl.DateTimeFormat)
  const parts = (epochS: number): Record<string, string> =>
    Object.fromEntries(format.formatToParts(Math.floor(epochS) * 1000).map((part) => [part.type, part.value]))
  const time = (epochS: number): string => {
    const { hour, minute, second } = parts(epochS)
    return `${hour}:${minute}:${second}`
  }
  const minute = (epochS: number): string => time(epochS).slice(0, 5)
  const day = (epochS: number): string => {
    const { year, month, day } = parts(epochS)
    return `${year}-${month}-${day}`
  }
  return {
    zone: formatIn(zone) === null ? 'UTC' : zone,
    time,
    minute,
    day,
    moment: (epochS, nowS) => (day(epochS) === day(nowS) ? time(epochS) : `${day(epochS)} ${time(epochS)}`),
    offsetS: (epochS) => {
      const p = parts(epochS)
      const local = Date.UTC(Number(p.year), Number(p.month) - 1, Number(p.day), Number(p.hour), Number(p.minute), Number(p.second))
      return local / 1000 - Math.floor(epochS)
    },
  }
}

function formatIn(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  } catch {
    return null
  }
}
