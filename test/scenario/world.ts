/**
 * What outlives a process of Headwater: the store, the queue, the chat, time, and people. Processes live in it one after the other
 * until the end of the story; whoever dies is followed by another one, and a job that was under way is given out again 8 s later.
 */
import type { Input } from '../../src/incident/input.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import type { Handle, Store } from '../../src/workflow/incident-ports.ts'
import { handOver } from '../../src/workflow/pump.ts'
import { handlerOf } from '../../src/workflow/work.ts'
import { noon } from '../build/stored-values.ts'
import type { Around } from '../build/work-ports.ts'
import { workPorts } from '../build/work-ports.ts'
import type { CourseName } from '../build/world-evidence.ts'
import type { Life } from '../fakes/mortal.ts'
import { life } from '../fakes/mortal.ts'
import type { SlowChat, SlowChatOptions } from '../fakes/slow-chat.ts'
import { slowChat } from '../fakes/slow-chat.ts'
import type { Place } from './job-list.ts'
import { JobList } from './job-list.ts'

/** A job that a dead process had in its hands. */
export const givenOutAgainMs = 8_000
/** Somebody looks at the chat again after this long. */
const lookAgainMs = 3_000

/** Somebody, or an alert sender, does something once; null = there is nothing to be done yet. */
export interface Doing {
  readonly afterMs: number
  readonly does: (world: World) => Input | null
}

export class World {
  now = noon
  readonly store: Store
  readonly chat: SlowChat
  readonly jobs = new JobList()
  readonly #people: { dueMs: number; sends: Input | null; readonly does: Doing['does'] }[]
  readonly course: CourseName
  /** When somebody said that the change is applied. */
  appliedMs: number | null = null
  /** When the last thing from outside happened: an input, a death, a look of the recovery check. */
  lastEventMs = noon

  constructor(
    store: (nowMs: () => number) => Store,
    people: readonly Doing[],
    chat: Partial<SlowChatOptions> = {},
    course: CourseName = 'the hot partition is split',
  ) {
    this.course = course
    const nowMs = (): number => this.now
    this.store = store(nowMs)
    this.chat = slowChat({ nowMs, ...chat })
    this.#people = people.map(({ afterMs, does }) => ({ dueMs: noon + afterMs, sends: null, does }))
  }

  /**
   * One process after the other, until nothing is left to be done before a time.
   * @param deadly asked at each call of a process to the outside: does it die there?
   */
  async live(untilMs: number, deadly: (call: string) => 'before' | 'after' | null = () => null): Promise<void> {
    for (;;) {
      const one = life(deadly)
      const ended = await Promise.race([this.#process(one, untilMs).then(() => true), one.death.then(() => false)])
      if (ended) return
      this.now += givenOutAgainMs
      this.lastEventMs = this.now
      this.jobs.allGivenBack(this.now)
    }
  }

  async #process(one: Life, untilMs: number): Promise<void> {
    const clock: Clock = {
      nowMs: () => this.now,
      wait: async (ms) => {
        this.now += ms
      },
    }
    const store = one.mortal(this.store, 'store')
    const queue = one.mortal(this.jobs, 'queue')
    const handle = this.handler({ store, chat: one.mortal(this.chat, 'chat'), clock })
    for (;;) {
      while (await this.come(store)) this.lastEventMs = this.now
      await handOver({ store, queue, clock })
      const place = this.jobs.next(this.now)
      if (place !== undefined && place.dueAtMs <= this.now) {
        await this.run(place, handle)
        continue
      }
      const next = Math.min(place?.dueAtMs ?? Number.POSITIVE_INFINITY, this.nextComingMs())
      if (next > untilMs) {
        this.now = untilMs
        return
      }
      this.now = Math.max(this.now, next)
    }
  }

  /** A worker of this world. */
  handler(around: Pick<Around, 'store' | 'chat' | 'clock'>): Handle {
    return handlerOf(workPorts({ ...around, course: this.course, appliedMs: () => this.appliedMs }))
  }

  /** When somebody does something next. */
  nextComingMs(): number {
    return Math.min(...this.#people.map(({ dueMs }) => dueMs))
  }

  /** One input comes, if one is due; what is not acknowledged is sent again. @returns whether one came */
  async come(store: Pick<Store, 'put'>): Promise<boolean> {
    const one = this.#people.find(({ dueMs }) => dueMs <= this.now)
    if (one === undefined) return false
    one.sends ??= one.does(this)
    if (one.sends === null) {
      one.dueMs = this.now + lookAgainMs
      return false
    }
    if (one.sends.kind === 'press' && one.sends.button === 'applied') this.appliedMs ??= one.sends.atMs
    await store.put(one.sends)
    const at = this.#people.indexOf(one)
    if (at >= 0) this.#people.splice(at, 1)
    return true
  }

  async run(place: Place, handle: Handle): Promise<void> {
    place.taken = true
    try {
      this.jobs.done(place, await handle(place.job, new AbortController().signal))
    } catch (error) {
      this.jobs.failed(place, error, this.now)
    }
    if (place.job.kind === 'look') this.lastEventMs = this.now
  }
}
