// A seeded source of draws (mulberry32), so that a drill can be drawn again from its seed alone.

export interface Draw {
  /** Uniform in [low, high). */
  between(low: number, high: number): number
  /** Whole number, both ends included. */
  whole(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  shuffled<T>(from: readonly T[]): T[]
}

function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}

/** Draws that depend on all parts of the name and on nothing else, e.g. drawFrom('hot_partition', 3). */
export function drawFrom(...name: readonly (string | number)[]): Draw {
  let state = hash(name.join('/'))
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(from: readonly T[]): T => {
    const one = from[whole(0, from.length - 1)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
  return {
    between: (low, high) => low + next() * (high - low),
    whole,
    chance: (probability) => next() < probability,
    pick,
    shuffled: (from) => {
      const rest = [...from]
      for (let i = rest.length - 1; i > 0; i--) {
        const j = whole(0, i)
        const [a, b] = [rest[i], rest[j]]
        if (a !== undefined && b !== undefined) [rest[i], rest[j]] = [b, a]
      }
      return rest
    },
  }
}
