/** Counters and figures of a running service, in the text format of Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { within } from '../within.ts'

/** A number that somebody else keeps and tells when asked, e.g. how many jobs wait. */
export interface Figure {
  /** e.g. headwater_jobs_waiting. */
  readonly name: string
  readonly help: string
  /** A counter only rises. */
  readonly kind: 'gauge' | 'counter'
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Asked at every scrape. When it fails or takes too long its figures are absent: an unknown depth is not zero. */
export type Figures = () => Promise<readonly Figure[]>

export interface Metrics {
  /** A request of a webhook has been answered. @param outcome e.g. stored, unauthorised, store_away */
  readonly answered: (format: string, outcome: string, seconds: number) => void
  /** @param what became of them: stored, known, unmapped, ignored, omitted */
  readonly alerts: (format: string, what: string, count: number) => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

const figuresWithinMs = 2_000

/** @param processToo memory, event loop and the like of this process */
export function createMetrics(figures: readonly Figures[], processToo: boolean): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (processToo) collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'headwater_webhook_requests_total',
    help: 'Webhook requests by format and outcome',
    labelNames: ['format', 'outcome'],
    registers,
  })
  const alerts = new Counter({
    name: 'headwater_alerts_total',
    help: 'Alerts by format and what became of them',
    labelNames: ['format', 'what'],
    registers,
  })
  const ack = new Histogram({
    name: 'headwater_webhook_ack_seconds',
    help: 'From the first byte of a request to its answer',
    labelNames: ['format'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10],
    registers,
  })
  return {
    answered: (format, outcome, seconds) => {
      requests.inc({ format, outcome })
      ack.observe({ format }, seconds)
    },
    alerts: (format, what, count) => {
      if (count > 0) alerts.inc({ format, what }, count)
    },
    text: async () => `${await registry.metrics()}${await figuresText(figures)}`,
    contentType: registry.contentType,
  }
}

async function figuresText(figures: readonly Figures[]): Promise<string> {
  const told = await Promise.all(figures.map((ask) => within(ask, figuresWithinMs).catch(() => [])))
  const scrape = new Registry()
  for (const { name, help, kind, labels, value } of told.flat()) {
    const options = { name, help, labelNames: Object.keys(labels), registers: [scrape] }
    if (kind === 'counter') {
      const counter = (scrape.getSingleMetric(name) ?? new Counter(options)) as Counter
      counter.inc(labels, value)
    } else {
      const gauge = (scrape.getSingleMetric(name) ?? new Gauge(options)) as Gauge
      gauge.set(labels, value)
    }
  }
  return scrape.metrics()
}
