/**
 * Several workers at once in one world, step by step: which of their calls goes through next, whether time passes before it does,
 * and whether one of them dies over it, is chosen from outside. Same choices, same story.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src/workflow/clock.ts'
import type { Handle } from '../../src/workflow/incident-ports.ts'
import { handOver } from '../../src/workflow/pump.ts'
import type { Place } from './job-list.ts'
import type { World } from './world.ts'
import { givenOutAgainMs } from './world.ts'

/** A call of a worker that has not gone through yet. */
interface Parked {
  readonly who: Actor
  readonly sinceMs: number
  /** Longer than this no call is under way, ms. */
  readonly limitMs: number
  readonly go: () => void
  readonly dropped: () => void
}

interface Actor {
  busy: boolean
  dead: boolean
  place: Place | null
}

const stepMs = 700
const limitMs = { store: 1_400, queue: 1_400, chat: 9_500 } as const

export class Crew {
  readonly #world: World
  /** @returns a number below `n` */
  readonly #choose: (n: number) => number
  readonly #actors: (Actor & { readonly handle: Handle })[] = []
  readonly #door: Actor = { busy: false, dead: false, place: null }
  readonly #pump: Actor = { busy: false, dead: false, place: null }
  readonly #parked = new Set<Parked>()
  readonly #sleeping = new Set<{ readonly atMs: number; readonly go: () => void; readonly who: Actor }>()
  #deaths: number
  /** Something was written that may have asked for jobs. */
  #asked = true

  constructor(world: World, workers: number, deaths: number, choose: (n: number) => number) {
    this.#world = world
    this.#choose = choose
    this.#deaths = deaths
    for (let i = 0; i < workers; i++) this.#hire()
  }

  #hire(): void {
    const who = { busy: false, dead: false, place: null }
    const clock: Clock = {
      nowMs: () => this.#world.now,
      wait: (ms) =>
        new Promise((resolve) => {
          this.#sleeping.add({ atMs: this.#world.now + ms, go: resolve, who })
        }),
    }
    const store = this.#slowly(this.#world.store, who, 'store')
    const chat = this.#slowly(this.#world.chat, who, 'chat')
    this.#actors.push(Object.assign(who, { handle: this.#world.handler({ store, chat, clock }) }))
  }

  /** The same port; each call waits until it is chosen. */
  #slowly<T extends object>(port: T, who: Actor, name: keyof typeof limitMs): T {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          const call = (): unknown => Reflect.apply(value, target, args)
          if (who.dead) return new Promise(() => {})
          return new Promise((resolve, reject) => {
            const go = (): void => {
              if (key === 'commit' || key === 'put') this.#asked = true
              Promise.resolve(call()).then(resolve, reject)
            }
            // A dead worker may have sent its call.
            const dropped = (): void => {
              if (this.#choose(2) === 1) void Promise.resolve(call()).catch(() => {})
            }
            this.#parked.add({ who, sinceMs: this.#world.now, limitMs: limitMs[name], go, dropped })
          })
        }
      },
    })
  }

  async live(untilMs: number): Promise<void> {
    for (;;) {
      await turn()
      const options = this.#options()
      if (options.length > 0) {
        options[this.#choose(options.length)]!()
        continue
      }
      const next = this.#nextMs()
      if (next > untilMs) return
      this.#world.now = Math.max(this.#world.now, next)
      this.#wake()
    }
  }

  #options(): (() => void)[] {
    const world = this.#world
    const options: (() => void)[] = [...this.#parked].map((one) => () => {
      this.#parked.delete(one)
      one.go()
    })
    const place = world.jobs.next(world.now)
    if (place !== undefined && place.dueAtMs <= world.now) {
      for (const actor of this.#actors.filter(({ busy }) => !busy)) options.push(() => this.#start(actor, place))
    }
    if (!this.#door.busy && world.nextComingMs() <= world.now) options.push(() => this.#act(this.#door, this.#comes()))
    if (!this.#pump.busy && this.#asked) options.push(() => this.#act(this.#pump, this.#pumps()))
    const patient = [...this.#parked].every(({ sinceMs, limitMs: most }) => world.now + stepMs - sinceMs <= most)
    if (this.#parked.size > 0 && patient) {
      options.push(() => {
        world.now += stepMs
        this.#wake()
      })
    }
    const busy = this.#actors.filter((actor) => actor.busy)
    if (this.#deaths > 0 && busy.length > 0 && this.#choose(12) === 1) options.push(() => this.#kill(busy[this.#choose(busy.length)]!))
    return options
  }

  #start(actor: Actor & { readonly handle: Handle }, place: Place): void {
    actor.busy = true
    actor.place = place
    void this.#world
      .run(place, async (job, signal) => {
        const again = await actor.handle(job, signal)
        // A worker that died over it has said nothing.
        return actor.dead ? new Promise<null>(() => {}) : again
      })
      .then(() => {
        actor.busy = false
        actor.place = null
      })
  }

  async #comes(): Promise<void> {
    if (await this.#world.come(this.#slowly(this.#world.store, this.#door, 'store'))) this.#world.lastEventMs = this.#world.now
  }

  async #pumps(): Promise<void> {
    this.#asked = false
    const store = this.#slowly(this.#world.store, this.#pump, 'store')
    const queue = this.#slowly(this.#world.jobs, this.#pump, 'queue')
    await handOver({ store, queue, clock: { nowMs: () => this.#world.now, wait: async () => {} } })
  }

  #act(actor: Actor, work: Promise<void>): void {
    actor.busy = true
    void work.then(() => {
      actor.busy = false
    })
  }

  #kill(actor: Actor & { readonly handle: Handle }): void {
    this.#deaths--
    actor.dead = true
    for (const one of [...this.#parked].filter(({ who }) => who === actor)) {
      this.#parked.delete(one)
      one.dropped()
    }
    for (const one of [...this.#sleeping].filter(({ who }) => who === actor)) this.#sleeping.delete(one)
    this.#asked = true
    this.#world.lastEventMs = this.#world.now + givenOutAgainMs
    if (actor.place !== null) this.#world.jobs.givenBack(actor.place, this.#world.now + givenOutAgainMs)
    this.#actors.splice(this.#actors.indexOf(actor), 1)
    this.#hire()
  }

  #nextMs(): number {
    const job = this.#world.jobs.next(this.#world.now)?.dueAtMs ?? Number.POSITIVE_INFINITY
    return Math.min(job, this.#world.nextComingMs(), ...[...this.#sleeping].map(({ atMs }) => atMs))
  }

  #wake(): void {
    for (const one of [...this.#sleeping].filter(({ atMs }) => atMs <= this.#world.now)) {
      this.#sleeping.delete(one)
      one.go()
    }
  }
}
