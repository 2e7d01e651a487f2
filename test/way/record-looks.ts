/**
 * Keeps what the sources answer during a live run, so that the demo can play it back (src/demo/recordings): the product's own looks at
 * its own moments, and more of them in between. What is kept is what a source brought home, before anything is joined or judged.
 */
import { brotliCompressSync, constants } from 'node:zlib'
import type { LookRecord } from '../../src/demo/story.ts'
import type { Findings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import { collect } from '../../src/workflow/collect.ts'
import { windowMs } from '../../src/workflow/diagnose.ts'
import type { Question, Source } from '../../src/workflow/ports.ts'

/** For one look in between, ms. */
const deadlineMs = 10_000

export interface LookRecorder {
  /** To be given to `serve`: the same answers, kept. */
  readonly sources: readonly Source[]
  /** One look in between, e.g. every 10 s; what it brings is kept like the product's own. Rejects when `signal` aborts. */
  readonly look: (pipeline: Pipeline, signal: AbortSignal) => Promise<void>
  /** Looks that have begun and are not over yet: the product's own and those in between. */
  readonly underWay: () => boolean
  /** All looks so far, oldest first. */
  readonly looks: () => readonly LookRecord[]
}

export function recordLooks(sources: readonly Source[], clock: Clock): LookRecorder {
  const byAsked = new Map<number, LookRecord['turns'][number][]>()
  let running = 0
  const keep = async (source: string, turn: 1 | 2, question: Question, look: Promise<Findings>): Promise<Findings> => {
    running++
    try {
      const findings = await look
      const turns = byAsked.get(question.askedAtMs) ?? []
      byAsked.set(question.askedAtMs, [...turns, { source, turn, findings }])
      return findings
    } finally {
      running--
    }
  }
  const kept = sources.map(
    (source): Source => ({
      ...source,
      collect: (question) => keep(source.name, 1, question, source.collect(question)),
      ...(source.lookAgain === undefined
        ? {}
        : { lookAgain: (question, seen) => keep(source.name, 2, question, source.lookAgain!(question, seen)) }),
    }),
  )
  return {
    sources: kept,
    async look(pipeline, signal) {
      const askedAtMs = clock.nowMs()
      const question = { pipeline, askedAtMs, fromMs: askedAtMs - windowMs, toMs: askedAtMs, thorough: false, signal, progress: () => {} }
      await collect(question, kept, deadlineMs, clock)
    },
    underWay: () => running > 0,
    looks: () => [...byAsked].sort(([a], [b]) => a - b).map(([askedAtMs, turns]) => ({ askedAtMs, turns })),
  }
}

/** The lines of a recording; whatever must not be told of this machine is replaced in them before they are packed. */
export function lookLines(looks: readonly LookRecord[]): string {
  return looks.map((look) => `${JSON.stringify(look)}\n`).join('')
}

/** Looks repeat each other within megabytes, which gzip's window of 32 KiB does not see. */
export function packLooks(lines: string): Uint8Array {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  return brotliCompressSync(lines, { params })
}
