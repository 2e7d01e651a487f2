/** Figures of a running service for Prometheus, beside those of the doors. */
import type { Depth } from '../queue/bullmq-queue.ts'
import type { Lane } from '../queue/lanes.ts'
import type { Figure, Figures } from '../triggers/metrics.ts'

/** Jobs in the queue, of all processes together. */
export function depthFigures(depth: Readonly<Record<Lane, Depth>>): Figure[] {
  return Object.entries(depth).flatMap(([lane, counts]) =>
    Object.entries(counts).map(([state, value]) => ({
      name: 'headwater_queue_jobs',
      help: 'Jobs in the queue by lane and state, of all processes together',
      kind: 'gauge' as const,
      labels: { lane, state },
      value,
    })),
  )
}

/** What this process has counted since it started. */
export interface Counts {
  /** @param outcome done, again (later, by its own wish), failed (tried again later), broken (given up) or handed_back */
  readonly job: (kind: string, outcome: string, seconds: number) => void
  /** @param what posted, edited, refused, copy_removed */
  readonly message: (what: string, count?: number) => void
  readonly figures: Figures
}

const names = {
  jobs: ['headwater_jobs_total', 'Jobs that ended in this process, by kind and outcome'],
  seconds: ['headwater_job_seconds_total', 'Time spent on jobs in this process, by kind'],
  messages: ['headwater_messages_total', 'Messages in Slack, by what was done with them in this process'],
} as const

export function createCounts(): Counts {
  const values = new Map<string, Figure>()
  const add = (which: keyof typeof names, labels: Readonly<Record<string, string>>, by: number): void => {
    const key = `${which} ${Object.values(labels).join(' ')}`
    const [name, help] = names[which]
    values.set(key, { name, help, kind: 'counter', labels, value: (values.get(key)?.value ?? 0) + by })
  }
  return {
    job: (kind, outcome, seconds) => {
      add('jobs', { kind, outcome }, 1)
      add('seconds', { kind }, seconds)
    },
    message: (what, count = 1) => add('messages', { what }, count),
    figures: async () => [...values.values()],
  }
}
