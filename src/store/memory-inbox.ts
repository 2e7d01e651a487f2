/** Inputs of a process of its own: the same steps as in `redis-inbox.ts`, and the same reasons. */
import type { Input } from '../incident/input.ts'
import type { Alert } from '../incident/trigger.ts'
import type { Job, Waiting } from '../workflow/incident-ports.ts'
import { jobFormat } from '../workflow/job-format.ts'
import { seal, unseal } from '../workflow/stored.ts'
import { ExpiringMap } from './expiring-map.ts'
import { inputFormat } from './formats.ts'
import type { StoreLimits } from './limits.ts'
import { fitting, inboxFull } from './limits.ts'
import type { Mark } from './mark.ts'
import { writeMark } from './mark.ts'

interface Item {
  readonly pipeline: string
  readonly alert: { readonly print: string; readonly status: string } | null
  value: string
  deliveries: number
  dealt: number
  news: number
}

export class MemoryInbox {
  readonly #limits: StoreLimits
  readonly #known: ExpiringMap<string>
  readonly #told: ExpiringMap<{ readonly status: string; readonly atMs: number }>
  readonly #items = new Map<string, Item>()
  /** By pipeline, in the order of arrival. */
  readonly #waiting = new Map<string, { readonly order: string[]; readonly newest: Map<string, string>; askedMs: number }>()
  readonly #jobs = new Map<string, string>()
  /** Pipelines whose inbox a job that is not due yet will read; nobody has read it since that job was asked for. */
  readonly #soon = new Set<string>()
  #count = 0

  constructor(limits: StoreLimits, nowMs: () => number) {
    this.#limits = limits
    this.#known = new ExpiringMap(nowMs)
    this.#told = new ExpiringMap(nowMs)
  }

  /** @param open whether its pipeline has an open incident */
  put(input: Input, open: boolean): 'stored' | 'known' {
    const value = fitting(seal(inputFormat, input), this.#limits.mostValueBytes)
    const seen = this.#known.get(input.key)
    if (seen !== undefined && !this.#turned(input)) {
      const item = this.#items.get(seen)
      if (item !== undefined) item.deliveries++
      return 'known'
    }
    this.#known.set(input.key, this.#fold(input, value) ?? this.#add(input, value, open), this.#limits.knownMs)
    if (input.kind === 'alert') this.#told.set(toldKey(input), { status: input.status, atMs: input.atMs }, this.#limits.knownMs)
    return 'stored'
  }

  /** Whether something else was said of an alert since it was heard before. */
  #turned(input: Input): boolean {
    const told = input.kind === 'alert' ? this.#told.get(toldKey(input)) : undefined
    if (told === undefined || input.kind !== 'alert' || told.status === input.status) return false
    return input.status === 'resolved' || input.atMs - told.atMs > this.#limits.lateCopyMs
  }

  /** An alert that says what the newest waiting one of its fingerprint says. @returns its number, or null when there is none */
  #fold(input: Input, value: string): string | null {
    if (input.kind !== 'alert') return null
    const n = this.#waiting.get(input.pipeline)?.newest.get(input.fingerprint)
    const item = n === undefined ? undefined : this.#items.get(n)
    if (n === undefined || item?.alert?.status !== input.status) return null
    item.value = value
    item.news = ++item.deliveries
    return n
  }

  #add(input: Input, value: string, open: boolean): string {
    const { pipeline } = input
    const inbox = this.#waiting.get(pipeline) ?? { order: [], newest: new Map<string, string>(), askedMs: 0 }
    if (inbox.order.length >= this.#limits.mostWaiting) throw inboxFull(pipeline, this.#limits.mostWaiting)
    const n = `${++this.#count}`
    const alert = input.kind === 'alert' ? { print: input.fingerprint, status: input.status } : null
    this.#items.set(n, { pipeline, alert, value, deliveries: 1, dealt: 0, news: 1 })
    inbox.order.push(n)
    if (alert !== null) inbox.newest.set(alert.print, n)
    inbox.askedMs = input.atMs
    this.#waiting.set(pipeline, inbox)
    if (alert === null || !open) this.#attend(pipeline, 0)
    else if (!this.#soon.has(pipeline)) {
      this.#soon.add(pipeline)
      this.#attend(pipeline, input.atMs + this.#limits.togetherMs)
    }
    return n
  }

  read(pipeline: string, most: number): Waiting[] {
    this.#soon.delete(pipeline)
    const order = this.#waiting.get(pipeline)?.order.slice(0, most) ?? []
    return order.map((n) => {
      const { dealt, deliveries, value } = this.#items.get(n)!
      return { mark: writeMark({ n, dealt, deliveries }), input: unseal(inputFormat, value), deliveries: deliveries - dealt }
    })
  }

  /** Whether all of them stand as they were read. */
  stand(marks: readonly Mark[]): boolean {
    return marks.every(({ n, dealt }) => this.#items.get(n)?.dealt === dealt)
  }

  dealtWith(marks: readonly Mark[]): void {
    for (const { n, deliveries } of marks) {
      const item = this.#items.get(n)!
      if (item.news > deliveries) {
        item.dealt = deliveries
        this.#attend(item.pipeline, 0)
      } else this.#remove(n, item)
    }
  }

  #remove(n: string, { pipeline, alert }: Item): void {
    const inbox = this.#waiting.get(pipeline)!
    this.#items.delete(n)
    inbox.order.splice(inbox.order.indexOf(n), 1)
    if (alert !== null && inbox.newest.get(alert.print) === n) inbox.newest.delete(alert.print)
    if (inbox.order.length === 0) this.#waiting.delete(pipeline)
  }

  ask(key: string, job: string): void {
    if (!this.#jobs.has(key)) this.#jobs.set(key, job)
  }

  #attend(pipeline: string, dueAtMs: number): void {
    const key = `attend/${pipeline}/${++this.#count}`
    this.ask(key, seal(jobFormat, { key, kind: 'attend', of: pipeline, dueAtMs, with: {} }))
  }

  asked(nowMs: number, most: number): Job[] {
    const overdue = [...this.#waiting].filter(([, { askedMs }]) => askedMs <= nowMs - this.#limits.askAgainMs)
    overdue.sort(([a, x], [b, y]) => x.askedMs - y.askedMs || (a < b ? -1 : 1))
    for (const [pipeline, inbox] of overdue.slice(0, most)) {
      inbox.askedMs = nowMs
      this.#attend(pipeline, 0)
    }
    return [...this.#jobs.values()].slice(0, most).map((text) => unseal(jobFormat, text))
  }

  handedOver(keys: readonly string[]): void {
    for (const key of keys) this.#jobs.delete(key)
  }
}

const toldKey = ({ pipeline, fingerprint }: Alert): string => `${pipeline}/${fingerprint}`
