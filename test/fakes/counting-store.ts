/** The part of a store that takes inputs in: it counts, and can be away or slow. */
import type { Input } from '../../src/incident/input.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'

export interface CountingStore {
  readonly put: Store['put']
  /** By key, in the order of their first arrival. */
  readonly inputs: Map<string, { readonly input: Input; deliveries: number }>
  /** How it behaves from now on. */
  mode: 'usual' | 'refuses' | 'hangs'
  /** Called before an input is kept. */
  before: () => Promise<void>
}

export function countingStore(): CountingStore {
  const inputs: CountingStore['inputs'] = new Map()
  const store: CountingStore = {
    inputs,
    mode: 'usual',
    before: async () => {},
    put: async (input) => {
      if (store.mode === 'refuses') throw new Error('connect ECONNREFUSED redis://:a-password-of-the-tests@redis:6379')
      if (store.mode === 'hangs') await new Promise(() => {})
      await store.before()
      const known = inputs.get(input.key)
      if (known !== undefined) {
        known.deliveries++
        return 'known'
      }
      inputs.set(input.key, { input, deliveries: 1 })
      return 'stored'
    },
  }
  return store
}
