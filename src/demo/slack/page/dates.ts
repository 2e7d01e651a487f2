/** Slack's `<!date^…>`: the same moment, written in the reader's own zone. */

type Formats = Readonly<Record<string, (atMs: number, zone: string, nowMs: number) => string>>

function formatted(options: Intl.DateTimeFormatOptions): (atMs: number, zone: string) => string {
  return (atMs, zone) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone }).format(atMs)
}

const long = formatted({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const longNoYear = formatted({ weekday: 'long', month: 'long', day: 'numeric' })
const plain = formatted({ month: 'long', day: 'numeric' })
const plainFull = formatted({ month: 'long', day: 'numeric', year: 'numeric' })
const short = formatted({ month: 'short', day: 'numeric', year: 'numeric' })
const time = formatted({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const numeric = (atMs: number, zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(atMs)

/** "today", "yesterday" or "tomorrow" where it is one, else the other format. */
function pretty(other: (atMs: number, zone: string) => string): (atMs: number, zone: string, nowMs: number) => string {
  return (atMs, zone, nowMs) => {
    const day = numeric(atMs, zone)
    const word = (['today', 'yesterday', 'tomorrow'] as const).find(
      (_, place) => day === numeric(nowMs + [0, -86_400_000, 86_400_000][place]!, zone),
    )
    return word ?? other(atMs, zone)
  }
}

const FORMATS: Formats = {
  date_num: numeric,
  date_slash: (atMs, zone) => numeric(atMs, zone).split('-').reverse().join('/'),
  date_long: long,
  date_long_full: plainFull,
  date_long_pretty: pretty(long),
  date: plain,
  date_pretty: pretty(plain),
  date_short: short,
  date_short_pretty: pretty(short),
  day_divider_pretty: pretty(longNoYear),
  time,
  time_secs: formatted({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
  ago: (atMs, _, nowMs) => ago(nowMs - atMs),
}

function ago(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const [count, unit] =
    minutes < 60 ? [minutes, 'minute'] : minutes < 1_440 ? [Math.round(minutes / 60), 'hour'] : [Math.round(minutes / 1_440), 'day']
  const span = `${count} ${unit}${count === 1 ? '' : 's'}`
  return ms >= 0 ? `${span} ago` : `in ${span}`
}

export interface Moment {
  readonly zone: string
  readonly nowMs: number
}

/**
 * @param seconds since 1970
 * @param format with Slack's tokens, e.g. "{date_short} at {time}"
 * @returns the fallback where format or time cannot be read
 */
export function dateText(seconds: number, format: string, fallback: string, { zone, nowMs }: Moment): string {
  const atMs = seconds * 1000
  if (!Number.isFinite(atMs) || Math.abs(atMs) > 8.64e15) return fallback
  const tokens = [...format.matchAll(/\{(\w+)\}/g)].map(([, token]) => token!)
  if (tokens.length === 0 || tokens.some((token) => !Object.hasOwn(FORMATS, token))) return fallback
  return format.replaceAll(/\{(\w+)\}/g, (_, token: string) => FORMATS[token]!(atMs, zone, nowMs))
}
