/** `/metrics/json/` of the driver: cheap gauges, on by default. Only what nothing else tells is taken. */
import type { Series } from '../incident/evidence.ts'
import { fieldsAt, isFields, numberAt } from './spark-fields.ts'

export interface DriverGauges {
  /** Events the driver's own bookkeeping lost: then jobs, stages and tasks in the UI are incomplete. */
  readonly droppedEvents: number
  /** 0..1; null = the JVM source is not switched on. */
  readonly heapShare: number | null
}

/** Null = not a metrics document. Names start with the application id or a namespace, so only their end is looked at. */
export function parseDriverGauges(body: unknown): DriverGauges | null {
  if (!isFields(body)) return null
  const counters = fieldsAt(body, 'counters')
  const gauges = fieldsAt(body, 'gauges')
  if (counters === undefined && gauges === undefined) return null
  const dropped = Object.entries(counters ?? {}).find(([name]) => name.endsWith('.LiveListenerBus.queue.appStatus.numDroppedEvents'))
  const heap = Object.entries(gauges ?? {}).find(([name]) => name.endsWith('.jvm.heap.usage'))
  return {
    droppedEvents: isFields(dropped?.[1]) ? (numberAt(dropped[1], 'count') ?? 0) : 0,
    heapShare: isFields(heap?.[1]) ? (numberAt(heap[1], 'value') ?? null) : null,
  }
}

export function driverSeries(gauges: DriverGauges, seenMs: number): Series[] {
  if (gauges.heapShare === null) return []
  return [{ signal: 'driver.heap_share', entity: {}, source: 'spark', t: [seenMs / 1000], v: [gauges.heapShare] }]
}
