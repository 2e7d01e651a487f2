/** The store in memory is a model of the one in Redis: whatever is asked of both, in whatever order, they answer alike. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Attended, Change, Store } from '../../src/workflow/incident-ports.ts'
import { newDelivery } from '../../src/workflow/send-step.ts'
import { alert, change, command, entriesAfter, incident, job, noon, wantedMessage } from '../build/stored-values.ts'
import { memoryKind, redisKind } from '../fakes/stores.ts'
import { redisProgram } from '../rig/toolchain.ts'

const pipeline = fc.constantFrom('orders', 'payments')
const few = fc.nat(5)

/** A change to be decided on what was read last, partly with what is out of date. */
const decision = fc.record({
  inputs: fc.nat(3),
  aside: fc.boolean(),
  incident: fc.option(fc.record({ id: fc.constantFrom('i-1', 'i-2'), state: fc.constantFrom('open', 'closed'), late: fc.nat(9) })),
  edition: fc.nat(4),
  ledger: fc.option(fc.nat(9)),
})

const step = fc.oneof(
  fc.record({ do: fc.constant('alert' as const), pipeline, n: few, print: few, status: fc.constantFrom('firing', 'resolved') }),
  fc.record({ do: fc.constant('command' as const), pipeline, n: few }),
  fc.record({ do: fc.constant('attend' as const), pipeline, most: few }),
  fc.record({ do: fc.constant('commit' as const), decision }),
  fc.record({ do: fc.constant('asked' as const), afterMs: fc.nat(120_000), most: few }),
  fc.record({ do: fc.constant('deliver' as const), stale: fc.boolean(), attempts: few }),
  fc.record({ do: fc.constant('turn' as const), afterMs: fc.nat(5_000), everyMs: fc.nat(2_000) }),
  fc.record({ do: fc.constant('salt' as const), user: few, n: few }),
  fc.record({ do: fc.constant('erase' as const), user: few }),
  fc.record({ do: fc.constant('look' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Decision = Extract<Step, { do: 'commit' }>['decision']

/** What one store says to all steps. */
async function answers(store: Store, steps: readonly Step[]): Promise<unknown[]> {
  const said: unknown[] = []
  let read: Attended = await store.attend('orders', 1)
  for (const one of steps) {
    if (one.do === 'attend') read = await store.attend(one.pipeline, one.most)
    said.push(one.do === 'attend' ? withoutMarks(read) : await answer(store, one, read).catch((error: { code: string }) => error.code))
  }
  return said
}

async function answer(store: Store, one: Exclude<Step, { do: 'attend' }>, read: Attended): Promise<unknown> {
  switch (one.do) {
    case 'alert': {
      const { n, print, status } = one
      return store.put(alert(`${status}-${print}-${n}`, { pipeline: one.pipeline, fingerprint: `${print}`, status: status as 'firing' }))
    }
    case 'command':
      return store.put(command(`c-${one.n}`, { pipeline: one.pipeline }))
    case 'commit':
      return store.commit(changeOf(one.decision, read))
    case 'asked': {
      const jobs = await store.asked(noon + one.afterMs, one.most)
      await store.handedOver(jobs.slice(1).map(({ key }) => key))
      return jobs.map((asked) => ({ ...asked, key: asked.key.replace(/\d+$/, '#') }))
    }
    case 'deliver': {
      const delivery = (await store.wanted('home'))?.delivery ?? newDelivery('home')
      const before = one.stale ? { ...delivery, attempts: 99 } : delivery
      return store.deliver(before, { ...delivery, state: 'sending', attempts: one.attempts })
    }
    case 'turn':
      return store.turn('C1', noon + one.afterMs, one.everyMs)
    case 'salt':
      return store.salt({ team: 'T1', user: `U${one.user}` }, `${one.n}`)
    case 'erase':
      return store.eraseSalt({ team: 'T1', user: `U${one.user}` })
    case 'look':
      return [
        await store.aside(3),
        await store.incidents({ state: 'any', most: 5 }),
        await store.incidents({ state: 'open', most: 5 }),
        await store.incident('i-1'),
        await store.ledger(1, 50),
        await store.wanted('home'),
        await store.head(),
      ]
  }
}

function changeOf({ inputs, aside, incident: moved, edition, ledger }: Decision, read: Attended): Change {
  const version = moved?.late === 9 ? read.version + 1 : read.version
  const { pipeline } = read
  return change({
    inputs: read.inputs.slice(0, inputs).map(({ mark }) => mark),
    aside: aside ? read.inputs.slice(0, inputs).map(({ input }) => ({ input, atMs: noon, why: 'odd' })) : [],
    incident:
      moved === null ? null : { value: incident(read.incident?.id ?? moved.id, { pipeline, state: moved.state as 'open' }), version },
    messages: [wantedMessage('home', { edition, text: pipeline })],
    jobs: [job(`diagnose/${edition}`)],
    ledger: ledger === null ? null : entriesAfter(ledger === 9 ? { ...read.head, number: 7 } : read.head, ['approved', 'applied']),
  })
}

const withoutMarks = (read: Attended) => ({ ...read, inputs: read.inputs.map(({ input, deliveries }) => ({ input, deliveries })) })

const [memory, redis] = [memoryKind(), redisKind()]

describe.skipIf(redisProgram() === null)('both stores', () => {
  beforeAll(redis.begin)
  afterAll(redis.end)

  test('say the same', async () => {
    const law = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      const limits = { mostWaiting: 4 }
      const [model, real] = [await memory.open(limits), await redis.open(limits)]
      expect(await answers(real.store, steps)).toEqual(await answers(model.store, steps))
      await real.store.close()
    })
    await fc.assert(law, { numRuns: 200, seed: 4 })
  })
})
