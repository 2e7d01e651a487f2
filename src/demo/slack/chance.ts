/** Draws that a seed repeats: the same script of faults on the same calls goes wrong in the same places. */

export interface Chance {
  /** In [0, 1). */
  readonly draw: () => number
  /** Whole number in [low, high]. */
  readonly between: (range: readonly [number, number]) => number
  /** So many capital letters and digits after the prefix, as Slack's ids look. */
  readonly id: (prefix: string, length?: number) => string
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Mulberry32 (public domain, T. Ettinger): 32 bits of state are plenty for drawing faults. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0
  const draw = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    draw,
    between: ([low, high]) => low + Math.floor(draw() * (high - low + 1)),
    id: (prefix, length = 10) => prefix + Array.from({ length }, () => LETTERS[Math.floor(draw() * LETTERS.length)]).join(''),
  }
}
