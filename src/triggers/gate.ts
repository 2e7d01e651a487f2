/**
 * How many requests are served at once. When all places are taken, the one whose sender has been sending for longest makes room,
 * so that a handful of deliberately slow senders cannot shut out the others.
 */

export interface Place {
  /** The body has arrived: from here on it depends on us alone, and nobody takes the place away. */
  readonly arrived: () => void
  readonly leave: () => void
}

/**
 * @param patienceMs every sender has at least so long
 * @returns enter: `cut` ends the request when its place is taken away; null = no place
 */
export function createGate(most: number, patienceMs: number, nowMs: () => number): { readonly enter: (cut: () => void) => Place | null } {
  const taken = new Set<symbol>()
  /** In the order in which they came. */
  const sending = new Map<symbol, { readonly sinceMs: number; readonly cut: () => void }>()

  function leave(id: symbol): void {
    taken.delete(id)
    sending.delete(id)
  }

  function makeRoom(): boolean {
    const [slowest] = sending
    if (slowest === undefined || nowMs() - slowest[1].sinceMs < patienceMs) return false
    leave(slowest[0])
    slowest[1].cut()
    return true
  }

  function enter(cut: () => void): Place | null {
    if (taken.size >= most && !makeRoom()) return null
    const id = Symbol('place')
    taken.add(id)
    sending.set(id, { sinceMs: nowMs(), cut })
    return { arrived: () => sending.delete(id), leave: () => leave(id) }
  }

  return { enter }
}
