/** Whoever draws for a service: one thread, started when there is something to draw, replaced when it dies of it. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { ChartSize } from '../report/chart/layout.ts'
import type { CheckStory } from '../report/check-chart.ts'
import type { Judged } from '../report/messages/incident/home.ts'
import type { Drawing, Drawn } from './draw-thread.ts'

export interface Drawer {
  /** PNG of the story. @throws HeadwaterError internal when it cannot be drawn */
  readonly draw: (judged: Judged, size: ChartSize) => Promise<Uint8Array>
  /** PNG of before and after a change, in the same size. @throws HeadwaterError internal when it cannot be drawn */
  readonly drawCheck: (story: CheckStory) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** A picture that takes longer is given up: the verdict waits for it, ms. */
const patienceMs = 30_000
/** `.ts` as it stands here, `.js` once built. */
const entry = new URL(`./draw-thread${extname(import.meta.url)}`, import.meta.url)

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, { readonly done: (png: Uint8Array) => void; readonly failed: (why: string) => void }>
}

/** @param zone IANA zone of the times in the picture */
export function createDrawer(zone: string): Drawer {
  let thread: Thread | null = null
  let lastId = 0

  function start(): Thread {
    const started: Thread = { worker: new Worker(entry, { execArgv: [], name: 'headwater-draw' }), waiting: new Map() }
    const { worker, waiting } = started
    const over = (why: string): void => {
      if (thread === started) thread = null
      for (const one of waiting.values()) one.failed(why)
    }
    worker.on('message', (drawn: Drawn) => {
      const one = waiting.get(drawn.id)
      if ('png' in drawn) one?.done(drawn.png)
      else one?.failed(drawn.why)
    })
    worker.on('error', (error) => over(messageOf(error)))
    worker.on('exit', () => over('the thread that draws has ended'))
    // It keeps no process alive by itself.
    worker.unref()
    return started
  }

  async function drawn(what: Drawing['what']): Promise<Uint8Array> {
    thread ??= start()
    const { worker, waiting } = thread
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const failed = (why: string): void => reject(new HeadwaterError('internal', `the picture could not be drawn: ${why}`))
    const timer = setTimeout(() => void worker.terminate(), patienceMs)
    waiting.set(id, { done: resolve, failed })
    try {
      worker.postMessage({ id, zone, what } satisfies Drawing)
      return await promise
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  return {
    draw: ({ timeline, attribution }, size) => drawn({ story: { timeline, attribution }, size }),
    drawCheck: (check) => drawn({ check }),
    async close() {
      await thread?.worker.terminate()
    },
  }
}
