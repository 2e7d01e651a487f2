/**
 * A process that dies at one of its calls to the outside: just before it is made, or when it was carried out and nobody hears of it.
 * From then on no call of this process is made and none is answered, as nobody is there any more.
 */

export interface Life {
  /** Resolves when the process dies. */
  readonly death: Promise<void>
  readonly dead: () => boolean
  /** The same port, as this process calls it. Closing it is no call. */
  readonly mortal: <T extends object>(port: T, name: string) => T
}

/** @param deadly asked at each call, by its number among all calls of all lives, whether and when the process dies */
export function life(deadly: (call: string) => 'before' | 'after' | null): Life {
  const { promise: death, resolve: die } = Promise.withResolvers<void>()
  let dead = false
  const never = (): Promise<never> => new Promise(() => {})
  const end = (): Promise<never> => {
    dead = true
    die()
    return never()
  }
  const called = async (name: string, make: () => unknown): Promise<unknown> => {
    if (dead) return never()
    const when = deadly(name)
    if (when === 'before') return end()
    const answer = await make()
    return when === 'after' ? end() : dead ? never() : answer
  }
  return {
    death,
    dead: () => dead,
    mortal: (port, name) =>
      new Proxy(port, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key)
          if (typeof value !== 'function' || typeof key !== 'string') return value
          return (...args: unknown[]) => called(`${name}.${key}`, () => Reflect.apply(value, target, args))
        },
      }),
  }
}
