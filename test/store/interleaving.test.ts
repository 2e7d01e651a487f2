/**
 * Two workers attend one pipeline while inputs come in, in any order of their steps, and die in between: every input is applied,
 * none twice, and none is left without a job that will attend to it.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Incident } from '../../src/incident/incident.ts'
import type { Input } from '../../src/incident/input.ts'
import type { Alert, Trigger } from '../../src/incident/trigger.ts'
import type { Attended, Job, Store } from '../../src/workflow/incident-ports.ts'
import { alert, change, command, incident, noon } from '../build/stored-values.ts'
import { memoryKind, redisKind } from '../fakes/stores.ts'

/** Inputs 0-3 are commands, the others deliveries of two alerts that fire and resolve. */
function inputOf(n: number): Trigger {
  if (n < 4) return command(`c${n}`)
  return alert(`a${n}`, { fingerprint: n % 2 === 0 ? 'lag' : 'fresh', status: n % 3 === 0 ? 'resolved' : 'firing', summary: `${n}` })
}

type Step = { readonly do: 'put'; readonly n: number } | { readonly do: 'read' | 'commit' | 'die'; readonly worker: number }

const worker = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), n: fc.nat(15) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), worker }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), worker }) },
)

/** The pipeline's workers, and the queue between the store and them. */
class Workers {
  readonly #store: Store
  readonly #jobs: Job[] = []
  readonly #hands: ({ readonly job: Job; readonly read: Attended } | null)[] = [null, null]

  constructor(store: Store) {
    this.#store = store
  }

  async read(who: number): Promise<void> {
    const asked = await this.#store.asked(noon, 100)
    this.#jobs.push(...asked)
    await this.#store.handedOver(asked.map(({ key }) => key))
    const job = this.#hands[who] === null ? this.#jobs.shift() : undefined
    if (job !== undefined) this.#hands[who] = { job, read: await this.#store.attend('orders', 2) }
  }

  /** Where somebody else was faster, it is read and decided anew. */
  async commit(who: number): Promise<void> {
    const hand = this.#hands[who]
    this.#hands[who] = null
    for (let read = hand?.read; read !== undefined && read.inputs.length > 0; read = await this.#store.attend('orders', 2)) {
      const value = applied(read.incident ?? incident('i-1'), read.inputs)
      const inputs = read.inputs.map(({ mark }) => mark)
      if ((await this.#store.commit(change({ inputs, incident: { value, version: read.version } }))) === 'done') return
    }
  }

  /** The queue gives the job to somebody else. */
  die(who: number): void {
    const hand = this.#hands[who]
    if (hand !== null && hand !== undefined) this.#jobs.push(hand.job)
    this.#hands[who] = null
  }

  /** Until there is no job left. */
  async rest(): Promise<void> {
    await this.commit(0)
    await this.commit(1)
    for (;;) {
      await this.read(0)
      if (this.#hands[0] === null) return
      await this.commit(0)
    }
  }
}

/** An incident that writes down all that is done to it: what was applied, and how often each was delivered. */
function applied(before: Incident, inputs: Attended['inputs']): Incident {
  const triggers = inputs.map(({ input }) => input as Trigger)
  const deliveries = inputs.reduce((sum, one) => sum + one.deliveries, 0)
  return { ...before, triggers: [...before.triggers, ...triggers], triggersBefore: before.triggersBefore + deliveries }
}

/** For each fingerprint the statuses in order, repetitions left out. */
function turns(inputs: readonly Input[]): Record<string, string[]> {
  const of: Record<string, string[]> = {}
  for (const { fingerprint, status } of inputs.filter((input): input is Alert => input.kind === 'alert')) {
    const list = of[fingerprint] ?? []
    of[fingerprint] = list.at(-1) === status ? list : [...list, status]
  }
  return of
}

async function play(store: Store, steps: readonly Step[]): Promise<void> {
  const workers = new Workers(store)
  const stored: Input[] = []
  let known = 0
  for (const one of steps) {
    if (one.do === 'put') {
      const input = inputOf(one.n)
      if ((await store.put(input)) === 'stored') stored.push(input)
      else known++
    } else if (one.do === 'read') await workers.read(one.worker)
    else if (one.do === 'commit') await workers.commit(one.worker)
    else workers.die(one.worker)
  }
  await workers.rest()

  const left = await store.attend('orders', 100)
  expect(left.inputs).toEqual([])
  const { triggers, triggersBefore: deliveries } = left.incident ?? incident('none')
  const keys = triggers.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  const commands = (inputs: readonly Input[]) => inputs.filter(({ kind }) => kind === 'command').map(({ key }) => key)
  expect(commands(triggers)).toEqual(commands(stored))
  expect(turns(triggers)).toEqual(turns(stored))
  expect(deliveries).toBeGreaterThanOrEqual(stored.length)
  expect(deliveries).toBeLessThanOrEqual(stored.length + known)
}

for (const kind of [memoryKind(), redisKind()]) {
  describe.skipIf(!kind.here)(`a store ${kind.name}`, () => {
    beforeAll(kind.begin)
    afterAll(kind.end)

    test('loses no input and applies none twice', async () => {
      const law = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { store } = await kind.open()
        await play(store, steps)
        await store.close()
      })
      await fc.assert(law, { numRuns: 150, seed: 4 })
    })
  })
}
