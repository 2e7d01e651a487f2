/** A question about a topic, as the workflow would put it. */
import type { Pipeline } from '../../src/incident/pipeline.ts'
import type { Question } from '../../src/workflow/ports.ts'

export function pipelineOn(brokers: readonly string[], topic: string, group: string | null = null): Pipeline {
  return {
    name: topic,
    topic,
    kafka: { brokers, clientId: 'headwater', tls: false, sasl: null },
    spark: null,
    query: null,
    checkpoint: null,
    eventLog: null,
    table: null,
    group,
    declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
    objective: { freshnessSeconds: null, lagSeconds: null },
  }
}

export function question(pipeline: Pipeline, limitMs = 10_000): Question {
  const nowMs = Date.now()
  return {
    pipeline,
    askedAtMs: nowMs,
    fromMs: nowMs - 3_600_000,
    toMs: nowMs,
    thorough: false,
    signal: AbortSignal.timeout(limitMs),
    progress: () => undefined,
  }
}
