/** Since when somebody wants a pipeline looked at: "since 14:05", "last 2h", and what people write instead of these. */
import { didYouMean } from './did-you-mean.ts'
import { duration } from './format.ts'
import { parseDuration } from './parse-duration.ts'
import { quoted } from './quoted.ts'
import { zoneNamed } from './zone-named.ts'
import type { LocalTime } from './zoned-time.ts'
import { localTime, momentsOf } from './zoned-time.ts'

/** Longest way back that can be asked for, ms: further back the systems keep too little to judge by. */
const furthestMs = 24 * 3_600_000
/** A time of day that has not come yet is yesterday's, if that is no longer ago than this, ms; else it is a slip. */
const yesterdayMs = furthestMs / 2
/** Clocks of people differ: a time so little ahead is "now", ms. */
const slackMs = 60_000

const begins = ['since', 'from', 'last', 'past', 'for', 'at']
const form = 'Write e.g. "since 14:05" or "last 2h".'

/**
 * @param text what stands behind the pipeline's name, e.g. "since 14:05"
 * @param zone of the asker
 * @returns epoch ms, or one sentence on what is not clear
 */
export function parseSince(text: string, nowMs: number, zone: string): number | { readonly say: string } {
  const words = text
    .trim()
    .replace(/[\s.,;:!?]+$/, '')
    .replace(/\b([ap])\.m\b/gi, '$1m')
    .replace(/^(?:(?:in|over|during|within) )?the (?=last|past)/i, '')
    .split(/\s+/)
  const first = words[0]!.toLowerCase()
  const begin = begins.includes(first) || (/^[a-z]{3,}$/.test(first) && didYouMean(first, begins) !== null)
  const what = (begin ? words.slice(1) : words).join(' ').toLowerCase()
  if (what === '') return { say: `Since when? ${form}` }
  const ago = lengthMs(what)
  if (ago !== null) return ago > furthestMs ? tooFar() : nowMs - ago
  const moment = momentIn(what, nowMs, zone)
  if (moment === null) return { say: `I cannot read a time in ${quoted(text)}. ${form}` }
  if (typeof moment !== 'number') return moment
  if (moment > nowMs + slackMs) return notYet(what, nowMs, zone)
  return nowMs - moment > furthestMs ? tooFar() : Math.min(moment, nowMs)
}

const numbers = new Map(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, i) => [word, i + 1]))

/** "2h", "two hours", "90 minutes", "1h 30m ago", "hour". */
function lengthMs(text: string): number | null {
  const plain = text
    .replace(/ ago$/, '')
    .replace(/^[a-z]+(?= )/, (word) => (numbers.has(word) ? `${numbers.get(word)}` : word))
    .replace(
      /^(half )?(?:an? )?(hour|minute|day)$/,
      (_, half: string | undefined, unit: string) => `${half === undefined ? 1 : 0.5}${unit}`,
    )
    .replace(/(\d) ?(hours?|hrs?|hr)\b/g, '$1h')
    .replace(/(\d) ?(minutes?|mins?)\b/g, '$1m')
    .replace(/(\d) ?(seconds?|secs?)\b/g, '$1s')
    .replace(/(\d) ?days?\b/g, '$1d')
  const seconds = parseDuration(plain)
  return seconds === null ? null : seconds * 1000
}

const instant = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?$/
const dayAndTime = /^(?:(today|yesterday) (?:at )?)?(.+)$/
/** A zone behind a time: "14:05 cet", "14:05z", "14:05+01:00". */
const inZone = /^(.*[\dm]) ?(z|[a-z]{3,4}|[a-z_]+(?:\/[a-z0-9_+-]+)+|(?:utc|gmt)?[+-]\d{1,2}(?::?\d\d)?)$/

function momentIn(text: string, nowMs: number, zone: string): number | { readonly say: string } | null {
  const [, time, name] = inZone.exec(text) ?? []
  const named = name === undefined ? null : zoneNamed(name)
  const moment = time === undefined || named === null ? null : localMoment(time, nowMs, named)
  return moment ?? localMoment(text, nowMs, zone)
}

function localMoment(text: string, nowMs: number, zone: string): number | { readonly say: string } | null {
  const exact = instant.exec(text)
  if (exact !== null) {
    const [year, month, day, hour, minute] = exact.slice(1, 6).map(Number) as [number, number, number, number, number]
    return latest({ year, month, day, hour, minute }, zone, nowMs)
  }
  const [, day, clock] = dayAndTime.exec(text) ?? []
  const time = clock === undefined ? null : timeOfDay(clock)
  if (time === null) return null
  const today = latest({ ...localTime(nowMs, zone), ...time }, zone, nowMs)
  const yesterday = latest({ ...dayBefore(localTime(nowMs, zone)), ...time }, zone, nowMs)
  if (day === 'yesterday') return yesterday
  if (day === 'today' || today <= nowMs + slackMs) return today
  return nowMs - yesterday <= yesterdayMs ? yesterday : notYet(text, nowMs, zone)
}

/** 14:05, 14.05, 14h05, 1405, 2pm, 2:05 pm, noon, midnight. */
function timeOfDay(text: string): { readonly hour: number; readonly minute: number } | null {
  if (text === 'noon' || text === 'midnight') return { hour: text === 'noon' ? 12 : 0, minute: 0 }
  const [, hours, minutes = '0', half] =
    /^(\d{1,2})[:.h](\d\d)(?::\d\d)? ?([ap]m)?$/.exec(text) ?? /^(\d\d)(\d\d)$/.exec(text) ?? /^(\d{1,2})() ?([ap]m)$/.exec(text) ?? []
  if (hours === undefined) return null
  const written = Number(hours)
  if (half !== undefined && (written < 1 || written > 12)) return null
  const hour = half === undefined ? written : (written % 12) + (half === 'pm' ? 12 : 0)
  const minute = Number(minutes)
  return hour < 24 && minute < 60 ? { hour, minute } : null
}

/** Where the clocks showed it twice, the later one that has been. */
function latest(local: LocalTime, zone: string, nowMs: number): number {
  const moments = momentsOf(local, zone)
  return moments.filter((moment) => moment <= nowMs).at(-1) ?? moments[0]!
}

function dayBefore({ year, month, day }: LocalTime): Pick<LocalTime, 'year' | 'month' | 'day'> {
  const before = new Date(Date.UTC(year, month - 1, day - 1))
  return { year: before.getUTCFullYear(), month: before.getUTCMonth() + 1, day: before.getUTCDate() }
}

function notYet(text: string, nowMs: number, zone: string): { readonly say: string } {
  const { hour, minute } = localTime(nowMs, zone)
  const now = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return { say: `${quoted(text)} has not come yet: it is ${now} in ${zone}. ${form}` }
}

function tooFar(): { readonly say: string } {
  return { say: `That is too far back; I can look back ${duration(furthestMs / 1000)}. ${form}` }
}
