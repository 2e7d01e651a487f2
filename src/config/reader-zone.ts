/** The zone in which someone reads times of day, where neither a command nor a configuration names one. */
import { defaultZone } from './config.ts'

/** TZ where it names an IANA zone (a rule like "CET-1CEST" or a path names none), else the default. */
export function readerZone(env: Readonly<Record<string, string | undefined>>): string {
  return ianaZone(env.TZ?.replace(/^:/, '') ?? '') ?? defaultZone
}

/** The zone as it is called, e.g. "europe/berlin" → "Europe/Berlin"; null = there is none of that name. */
export function ianaZone(name: string): string | null {
  try {
    return name === '' ? null : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
