/** Whoever draws for a service: one thread, started when there is something to draw, replaced when it dies of it. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { HeadwaterError } from '../errors.ts'
import type { Judged } from '../report/messages/incident/home.ts'
import type { Drawing, Drawn } from './draw-thread.ts'

export interface Drawer {
  /** PNG of the story, in the size of the message. @throws HeadwaterError internal when it cannot be drawn */
  readonly draw: (judged: Judged) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** A picture that takes longer is given up: the verdict waits for it, ms. */
const patienceMs = 30_000
/** `.ts` as it stands here, `.js` once built. */
const entry = new URL(`./draw-thread${extname(import.meta.url)}`, import.meta.url)

/** @param zone IANA zone of the times in the picture */
export function createDrawer(zone: string): Drawer {
  const waiting = new Map<number, { readonly done: (png: Uint8Array) => void; readonly failed: (why: string) => void }>()
  let thread: Worker | null = null
  let lastId = 0

  function start(): Worker {
    const started = new Worker(entry, { execArgv: [], name: 'headwater-draw' })
    const over = (why: string): void => {
      if (thread === started) thread = null
      for (const one of waiting.values()) one.failed(why)
    }
    started.on('message', (drawn: Drawn) => {
      const one = waiting.get(drawn.id)
      if ('png' in drawn) one?.done(drawn.png)
      else one?.failed(drawn.why)
    })
    started.on('error', (error) => over(error.message))
    started.on('exit', () => over('the thread that draws has ended'))
    // Nothing else keeps the process alive for a picture.
    started.unref()
    return started
  }

  return {
    async draw({ timeline, attribution }) {
      thread ??= start()
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      const failed = (why: string): void => reject(new HeadwaterError('internal', `the picture could not be drawn: ${why}`))
      const timer = setTimeout(() => void thread?.terminate(), patienceMs)
      waiting.set(id, { done: resolve, failed })
      try {
        thread.postMessage({ id, zone, timeline, attribution } satisfies Drawing)
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    async close() {
      await thread?.terminate()
    },
  }
}
