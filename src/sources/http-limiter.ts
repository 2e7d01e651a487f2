/**
 * Few requests at a time per address, and fewer where answers slow down: a driver that is busy or out of memory must not be
 * pushed further by the very tool that looks for the reason.
 */

/** An answer slower than this is a sign of strain: from then on one request at a time. */
const SLOW_MS = 1_000
/** So many quick answers in a row lift the restraint again. */
const QUICK_MS = 300
const QUICK_IN_A_ROW = 5

export interface Slot {
  /** Gives the slot back; `tookMs` = how long the answer took. */
  readonly leave: (tookMs: number) => void
}

export interface Limiter {
  /** Waits for a free slot at this origin, first come first served; null when `signal` aborts before one is free. */
  readonly enter: (origin: string, signal: AbortSignal) => Promise<Slot | null>
  /** How many may be in flight at this origin now. */
  readonly width: (origin: string) => number
}

interface Gate {
  inFlight: number
  slow: boolean
  quick: number
  readonly waiting: (() => void)[]
}

/** `inFlight` = most requests at once per origin. Shared by all looks of the process, so that two diagnoses do not add up. */
export function limitInFlight(inFlight = 2): Limiter {
  const gates = new Map<string, Gate>()
  const gateOf = (origin: string): Gate => {
    const known = gates.get(origin)
    if (known !== undefined) return known
    const fresh: Gate = { inFlight: 0, slow: false, quick: 0, waiting: [] }
    gates.set(origin, fresh)
    return fresh
  }
  const widthOf = (gate: Gate): number => (gate.slow ? 1 : inFlight)
  const admit = (gate: Gate): void => {
    while (gate.inFlight < widthOf(gate)) {
      const next = gate.waiting.shift()
      if (next === undefined) return
      next()
    }
  }
  const slotOf = (gate: Gate): Slot => {
    gate.inFlight += 1
    let held = true
    return {
      leave(tookMs) {
        if (!held) return
        held = false
        gate.inFlight -= 1
        note(gate, tookMs)
        admit(gate)
      },
    }
  }
  return {
    width: (origin) => widthOf(gateOf(origin)),
    enter(origin, signal) {
      const gate = gateOf(origin)
      if (signal.aborted) return Promise.resolve(null)
      if (gate.waiting.length === 0 && gate.inFlight < widthOf(gate)) return Promise.resolve(slotOf(gate))
      return new Promise((resolve) => {
        const admitted = (): void => {
          signal.removeEventListener('abort', gaveUp)
          resolve(slotOf(gate))
        }
        const gaveUp = (): void => {
          const place = gate.waiting.indexOf(admitted)
          if (place >= 0) gate.waiting.splice(place, 1)
          resolve(null)
        }
        signal.addEventListener('abort', gaveUp, { once: true })
        gate.waiting.push(admitted)
      })
    },
  }
}

function note(gate: Gate, tookMs: number): void {
  if (tookMs > SLOW_MS) {
    gate.slow = true
    gate.quick = 0
  } else if (gate.slow) {
    gate.quick = tookMs < QUICK_MS ? gate.quick + 1 : 0
    if (gate.quick >= QUICK_IN_A_ROW) {
      gate.slow = false
      gate.quick = 0
    }
  }
}
