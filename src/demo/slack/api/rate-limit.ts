/** Slack's limits per method, app and workspace. A bucket may be emptied at once ("short bursts") and refills evenly. */
import type { Pace } from '../methods/method.ts'

interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

interface Rule {
  readonly key: string
  readonly perMinute: number
  /** Calls at once before it counts; Slack tells no number. */
  readonly burst: number
}

export const PER_MINUTE: Readonly<Record<1 | 2 | 3 | 4 | 'special', number>> = { 1: 1, 2: 20, 3: 50, 4: 100, special: 300 }
/** chat.postMessage: one a second in a channel, and "several hundred" a minute over the workspace. */
const POST_PER_CHANNEL = { perMinute: 60, burst: 3 }
const POST_PER_WORKSPACE = { perMinute: 300, burst: 100 }

export interface RateLimit {
  /** @returns seconds to wait, as Retry-After says them; 0 = go ahead (and counted) */
  readonly take: (method: string, pace: Pace, channel: string, nowMs: number) => number
}

export function rateLimit(): RateLimit {
  const buckets = new Map<string, Bucket>()
  const filled = (rule: Rule, nowMs: number): number => {
    const bucket = buckets.get(rule.key) ?? { tokens: rule.burst, atMs: nowMs }
    return Math.min(rule.burst, bucket.tokens + ((nowMs - bucket.atMs) / 60_000) * rule.perMinute)
  }
  return {
    take(method, pace, channel, nowMs) {
      const rules = rulesOf(method, pace, channel)
      const waits = rules.map((rule) => ((1 - filled(rule, nowMs)) / rule.perMinute) * 60)
      const wait = Math.max(...waits)
      if (wait > 0) return Math.max(1, Math.ceil(wait))
      for (const rule of rules) buckets.set(rule.key, { tokens: filled(rule, nowMs) - 1, atMs: nowMs })
      return 0
    },
  }
}

function rulesOf(method: string, pace: Pace, channel: string): Rule[] {
  if (pace === 'post') {
    return [
      { key: `${method} ${channel}`, ...POST_PER_CHANNEL },
      { key: method, ...POST_PER_WORKSPACE },
    ]
  }
  return [{ key: method, perMinute: PER_MINUTE[pace], burst: PER_MINUTE[pace] }]
}
