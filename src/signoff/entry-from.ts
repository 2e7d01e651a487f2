/** From a value of unknown origin to an entry of the ledger: whoever can write to the store can write anything there. */
import type { Entry, LedgerEvent } from './ledger.ts'
import { ledgerEvents } from './ledger.ts'

/** @returns null = it has not the shape of an entry; whether it is a true one the chain says */
export function entryFrom(value: unknown): Entry | null {
  if (!isRecord(value)) return null
  const { v, number, atMs, incident, pipeline, what, who, proposal, details, digest } = value
  const texts = [incident, pipeline, who, proposal, digest].every((one) => typeof one === 'string')
  const numbers = [number, atMs].every((one) => Number.isSafeInteger(one))
  const known = ledgerEvents.includes(what as LedgerEvent)
  const plain = isRecord(details) && Object.values(details).every((one) => typeof one === 'string')
  const whole = v === 1 && texts && numbers && known && plain
  return whole ? (value as unknown as Entry) : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
