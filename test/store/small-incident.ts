/**
 * A small incident told with a store, a queue and a chat: an alert and a question come, the verdict is told, the owner approves.
 * It goes on from whatever stands in the store, so a process that dies is simply started again.
 */
import type { Incident } from '../../src/incident/incident.ts'
import type { Input } from '../../src/incident/input.ts'
import type { Delivery, Job, Store, Wanted } from '../../src/workflow/incident-ports.ts'
import { handOver } from '../../src/workflow/pump.ts'
import { alert, change, command, entriesAfter, incident, job, noon, press, wantedMessage } from '../build/stored-values.ts'

/** Those of one line come while nobody looks. */
const inputs: readonly (readonly Input[])[] = [
  [alert('a1'), alert('a2')],
  [command('c1', { atMs: noon + 1 }), press('p1', { atMs: noon + 2 })],
  [alert('a3', { status: 'resolved' })],
]

/** What stays when a process dies: the sender of the inputs, the queue, the chat. */
export class World {
  /** How far the inputs have come: the line, and how many of it were acknowledged. */
  #together = 0
  #acknowledged = 0
  readonly #added = new Set<string>()
  readonly #jobs: Job[] = []
  readonly posts: { readonly slot: string; readonly text: string; edition: number }[] = []

  readonly #queue = {
    add: async (jobs: readonly Job[]): Promise<void> => {
      this.#jobs.push(...jobs.filter(({ key }) => !this.#added.has(key)))
      for (const { key } of jobs) this.#added.add(key)
    },
  }

  /** Until everything has come and nothing is left to do. A job that throws stays in the queue. */
  async live(store: Store): Promise<void> {
    for (; this.#together < inputs.length; this.#together++) {
      const together = inputs[this.#together]!
      for (; this.#acknowledged < together.length; this.#acknowledged++) await store.put(together[this.#acknowledged]!)
      await this.#work(store)
      this.#acknowledged = 0
    }
  }

  async #work(store: Store): Promise<void> {
    const clock = { nowMs: () => noon, wait: async () => {} }
    for (;;) {
      await handOver({ store, queue: this.#queue, clock })
      const next = this.#jobs[0]
      if (next === undefined) return
      if (next.kind === 'attend') await attend(store, next.of)
      else if (next.kind === 'diagnose') await diagnose(store, next.of)
      else await this.#send(store, next.of)
      this.#jobs.shift()
    }
  }

  async #send(store: Store, slot: string): Promise<void> {
    const { wanted, delivery } = (await store.wanted(slot))!
    if (delivery.state === 'sent' && delivery.edition === wanted.edition) return
    const stands = this.posts.find((post) => post.slot === slot)
    if ((await store.turn(wanted.channel, noon, 0)) !== null) throw new Error('not our turn')
    const sending: Delivery = { ...delivery, state: 'sending', sendingSinceMs: noon, attempts: delivery.attempts + 1 }
    if (!(await store.deliver(delivery, sending))) throw new Error('somebody else sends it')
    if (stands === undefined) this.posts.push({ slot, text: wanted.text, edition: wanted.edition })
    else stands.edition = wanted.edition
    await store.deliver(sending, { ...sending, state: 'sent', ts: `ts of ${slot}`, edition: wanted.edition, sendingSinceMs: null })
  }
}

async function attend(store: Store, pipeline: string): Promise<void> {
  const { incident: found, version, inputs: waiting, head } = await store.attend(pipeline, 10)
  if (waiting.length === 0) return
  const before = found ?? incident('i-1')
  const triggers = waiting.flatMap(({ input }) => (input.kind === 'alert' || input.kind === 'command' ? [input] : []))
  const approvals = waiting.filter(({ input }) => input.kind === 'press').map(() => 'approved' as const)
  const value: Incident = { ...before, triggers: [...before.triggers, ...triggers] }
  await store.commit(
    change({
      inputs: waiting.map(({ mark }) => mark),
      incident: { value, version },
      messages: [home(version + 1, `${value.triggers.length} triggers`)],
      jobs: [job('diagnose/i-1/1'), job(`send/home/${version + 1}`, { kind: 'send', of: 'home' })],
      ledger: approvals.length === 0 ? null : entriesAfter(head, approvals),
    }),
  )
}

async function diagnose(store: Store, id: string): Promise<void> {
  const bundle = await store.keep(new TextEncoder().encode('evidence'))
  const { value, version } = (await store.incident(id))!
  if (value.revisions.length > 0) return
  const revision = { number: 1, askedAtMs: noon, askedBy: bundle, sinceMs: null, state: 'done' } as const
  await store.commit(
    change({
      incident: { value: { ...value, revisions: [revision] }, version },
      messages: [home(version + 1, 'partition 3 is hot'), wantedMessage('thread/verdict-1', { under: 'home' })],
      jobs: ['home', 'thread/verdict-1'].map((slot) => job(`send/${slot}/${version + 1}`, { kind: 'send', of: slot })),
      ledger: entriesAfter(await store.head(), ['opened']),
    }),
  )
}

const home = (edition: number, text: string): Wanted => wantedMessage('home', { edition, text })

/** Everything that must be the same whether a process died or not. How often sending was tried may differ. */
export async function outcome(store: Store, world: World): Promise<unknown> {
  const slots = await Promise.all(['home', 'thread/verdict-1'].map((slot) => store.wanted(slot)))
  const [value] = await store.incidents({ state: 'open', most: 10 })
  return {
    attended: { ...(await store.attend('orders', 10)), incident: null },
    incident: value,
    bundle: await store.bytes(value!.revisions[0]!.askedBy),
    ledger: await store.ledger(1, 10),
    slots: slots.map((slot) => ({ ...slot, delivery: { ...slot?.delivery, attempts: 0 } })),
    asked: await store.asked(noon, 10),
    posts: world.posts,
  }
}
