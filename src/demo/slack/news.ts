/** Tells whoever looks on (the page, a waiting test) that something changed. */

export interface News {
  readonly tell: () => void
  /** @returns how to stop listening */
  readonly listen: (heard: () => void) => () => void
}

export function news(): News {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const heard of listeners) heard()
    },
    listen: (heard) => {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
  }
}
