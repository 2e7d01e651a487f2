// The producer's own account of what the broker acknowledged: per second of sending, per second of record time and per
// partition. Intake histories read from Kafka can be compared with it record by record.
import { appendFileSync, readFileSync } from 'node:fs'

/** One line. Lines add up: a late acknowledgement writes a second line for the same second. */
interface Line {
  /** Second (epoch) in which the records were handed to the broker. */
  readonly sent: number
  /** [second of record time, partition, acknowledged records, records whose fate is unknown]. */
  readonly rows: readonly (readonly [number, number, number, number])[]
}

export class ProduceLog {
  readonly #file: string
  readonly #open = new Map<number, Map<string, [number, number, number, number]>>()

  constructor(file: string) {
    this.#file = file
  }

  /** Counts records. `unknown`: the send failed, so the broker may or may not hold them. */
  count(sentSecond: number, recordSecond: number, partition: number, records: number, unknown: boolean): void {
    const rows = this.#open.get(sentSecond) ?? new Map<string, [number, number, number, number]>()
    this.#open.set(sentSecond, rows)
    const key = `${recordSecond}/${partition}`
    const row = rows.get(key) ?? [recordSecond, partition, 0, 0]
    row[unknown ? 3 : 2] += records
    rows.set(key, row)
  }

  /** Writes the seconds before `second` (all, when not given). */
  flush(second = Number.POSITIVE_INFINITY): void {
    for (const [sent, rows] of this.#open) {
      if (sent >= second) continue
      const line: Line = { sent, rows: [...rows.values()] }
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
      this.#open.delete(sent)
    }
  }
}

export interface ProducedTotals {
  /** [partition][second] = acknowledged records. */
  readonly byRecordTime: ReadonlyMap<number, ReadonlyMap<number, number>>
  readonly bySendTime: ReadonlyMap<number, ReadonlyMap<number, number>>
  /** Records whose fate is unknown: a comparison is exact only when 0. */
  readonly unknown: number
}

/** Sums a produce log per partition and second, by record time and by send time. */
export function readProduceLog(file: string): ProducedTotals {
  const byRecordTime = new Map<number, Map<number, number>>()
  const bySendTime = new Map<number, Map<number, number>>()
  const add = (to: Map<number, Map<number, number>>, partition: number, second: number, records: number) => {
    const seconds = to.get(partition) ?? new Map<number, number>()
    to.set(partition, seconds)
    seconds.set(second, (seconds.get(second) ?? 0) + records)
  }
  let unknown = 0
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '') continue
    const line = JSON.parse(text) as Line
    for (const [recordSecond, partition, records, lost] of line.rows) {
      add(byRecordTime, partition, recordSecond, records)
      add(bySendTime, partition, line.sent, records)
      unknown += lost
    }
  }
  return { byRecordTime, bySendTime, unknown }
}
