/**
 * Evidence of a pipeline in motion in a world with a clock of its own: what is seen depends on the time since a change was applied. Its
 * bytes name what was seen, so that they can be judged again and a thousand worlds need each simulation once.
 */
import type { Look } from '../../src/proposal/grounds.ts'
import { changing, lookAt } from './look.ts'
import type { Motion } from './pipeline.ts'

export interface Course {
  /** What is seen until the change is applied; everything changed 45 s before. */
  readonly before: Motion
  /** What is seen after it was applied at 3,620 s. */
  readonly after: Motion
}

const restarts = [{ at: 3625, back: 3650 }]
const hot: Motion = { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50), startedAt: 3000 }
/** It settles: batches do not grow for ever. */
const warm: Motion = { rate: (p, t) => (p === 3 ? changing(50, 240)(t) : 50), startedAt: 3000 }
const surge: Motion = { rate: (_, t) => changing(50, 125)(t), startedAt: 3000 }

/** By name, as the bytes have them. */
export const courses = {
  'the hot partition is split': { before: hot, after: { ...hot, restarts, minPartitions: changing<number | null>(null, 16, 3625) } },
  'the partition is split, and all take more': {
    before: hot,
    after: {
      ...hot,
      restarts,
      minPartitions: changing<number | null>(null, 16, 3625),
      rate: (p, t) => (p === 3 && t > 3555 ? 500 : t > 4500 ? 125 : 50),
    },
  },
  'nobody restarts the query': { before: warm, after: warm },
  'the key cools down by itself': {
    before: hot,
    after: { ...hot, rate: (p, t) => (p === 3 && t > 3555 && t < 3700 ? 500 : 50) },
  },
  'executors come and do nothing': { before: surge, after: { ...surge, restarts, slots: () => 4, executors: [[3650, 4]] } },
  'nothing can be seen any more': { before: hot, after: { ...hot, without: ['kafka', 'checkpoint', 'spark', 'delta'] } },
} as const satisfies Readonly<Record<string, Course>>

export type CourseName = keyof typeof courses

/** Seconds of the motion at which a look without a change is asked, and at which a change is applied. */
const askedAt = 3600
const appliedAt = 3620
/** Looks so close to each other see the same, s. */
const grain = 30

const known = new Map<string, Look>()

function simulated(course: CourseName, when: 'before' | 'after', at: number): Look {
  const key = `${course}/${when}/${at}`
  const look = known.get(key) ?? lookAt({ ...courses[course][when], askedAt: at })
  known.set(key, look)
  return look
}

/** @param appliedMs null = nothing was applied yet @returns the bytes of what is seen */
export function seenAt(course: CourseName, nowMs: number, appliedMs: number | null): Uint8Array {
  const since = appliedMs === null ? null : Math.floor((nowMs - appliedMs) / 1000 / grain) * grain
  const [when, at] = since === null ? ['before', askedAt] : ['after', appliedAt + since]
  return new TextEncoder().encode(JSON.stringify({ course, when, at, zeroMs: nowMs - at * 1000 }))
}

/** Judges what was seen. A motion knows no time of day: it is moved to that of its world. */
export function lookFrom(bytes: Uint8Array): Look {
  const { course, when, at, zeroMs } = JSON.parse(new TextDecoder().decode(bytes)) as {
    course: CourseName
    when: 'before' | 'after'
    at: number
    zeroMs: number
  }
  const { evidence, timeline, attribution } = simulated(course, when, at)
  const [from, to] = [zeroMs, zeroMs + at * 1000].map((ms) => new Date(ms).toISOString()) as [string, string]
  return { evidence: { ...evidence, asked_at: to, window: { from, to } }, timeline: { ...timeline, zeroS: zeroMs / 1000 }, attribution }
}
