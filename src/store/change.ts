/** What every store makes of a change before it writes it. */
import { HeadwaterError } from '../errors.ts'
import { keptFor } from '../incident/kept-for.ts'
import type { Change } from '../workflow/incident-ports.ts'
import { jobFormat } from '../workflow/job-format.ts'
import { newDelivery } from '../workflow/send-step.ts'
import { seal } from '../workflow/stored.ts'
import { asideFormat, deliveryFormat, entryFormat, incidentFormat, wantedFormat } from './formats.ts'
import { fitting } from './limits.ts'
import type { Mark } from './mark.ts'
import { readMark } from './mark.ts'

/** A change with its values as text. What is not part of it is undefined. */
export interface SealedChange {
  readonly inputs: readonly Mark[]
  readonly aside: readonly string[]
  readonly incident:
    | {
        readonly id: string
        readonly pipeline: string
        readonly state: 'open' | 'closed'
        readonly version: number
        readonly value: string
        /** Keys of the bytes that it speaks of: they end no sooner than it does. */
        readonly keeps: readonly string[]
      }
    | undefined
  readonly messages: readonly { readonly slot: string; readonly edition: number; readonly wanted: string; readonly planned: string }[]
  readonly jobs: readonly { readonly key: string; readonly value: string }[]
  readonly ledger:
    | {
        readonly after: number
        readonly afterDigest: string
        readonly number: number
        readonly digest: string
        readonly entries: readonly { readonly number: number; readonly value: string }[]
      }
    | undefined
}

/** @throws HeadwaterError value_too_large, store_mistaken when ledger entries do not follow each other */
export function sealChange(change: Change, mostBytes: number): SealedChange {
  const fits = (text: string): string => fitting(text, mostBytes)
  return {
    inputs: change.inputs.map(readMark),
    aside: change.aside.map((one) => fits(seal(asideFormat, one))),
    incident: sealIncident(change.incident, fits),
    messages: change.messages.map((wanted) => ({
      slot: wanted.slot,
      edition: wanted.edition,
      wanted: fits(seal(wantedFormat, wanted)),
      // Nothing of it stands in Slack yet.
      planned: seal(deliveryFormat, newDelivery(wanted.slot)),
    })),
    jobs: change.jobs.map((job) => ({ key: job.key, value: fits(seal(jobFormat, job)) })),
    ledger: sealLedger(change.ledger, fits),
  }
}

function sealIncident(incident: Change['incident'], fits: (text: string) => string): SealedChange['incident'] {
  if (incident === null) return undefined
  const { id, pipeline, state } = incident.value
  return {
    id,
    pipeline,
    state,
    version: incident.version,
    value: fits(seal(incidentFormat, incident.value)),
    keeps: keptFor(incident.value),
  }
}

function sealLedger(ledger: Change['ledger'], fits: (text: string) => string): SealedChange['ledger'] {
  const newest = ledger?.entries.at(-1)
  if (ledger === null || newest === undefined) return undefined
  for (const [i, entry] of ledger.entries.entries()) {
    if (entry.number === ledger.after.number + 1 + i) continue
    throw new HeadwaterError('store_mistaken', `ledger entry ${entry.number} cannot stand at place ${ledger.after.number + 1 + i}`)
  }
  return {
    after: ledger.after.number,
    afterDigest: ledger.after.digest,
    number: newest.number,
    digest: newest.digest,
    entries: ledger.entries.map((entry) => ({ number: entry.number, value: fits(seal(entryFormat, entry)) })),
  }
}
