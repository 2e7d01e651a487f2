/** The shapes that are stored, each with its version: raise it with every change of a shape, and say how the older one is read. */
import type { Incident } from '../incident/incident.ts'
import { incidentVersion } from '../incident/incident.ts'
import type { Input } from '../incident/input.ts'
import type { Entry } from '../signoff/ledger.ts'
import type { Aside, Delivery, Wanted } from '../workflow/incident-ports.ts'
import type { Format } from '../workflow/stored.ts'

export const inputFormat: Format<Input> = { name: 'an input', version: 1, upgrade: null }
export const incidentFormat: Format<Incident> = { name: 'an incident', version: incidentVersion, upgrade: null }
export const wantedFormat: Format<Wanted> = { name: 'a wanted message', version: 1, upgrade: null }
export const deliveryFormat: Format<Delivery> = { name: 'a delivery', version: 1, upgrade: null }
export const entryFormat: Format<Entry> = { name: 'a ledger entry', version: 1, upgrade: null }
export const asideFormat: Format<Aside> = { name: 'an input set aside', version: 1, upgrade: null }
/** null = the person was erased. */
export const saltFormat: Format<string | null> = { name: 'a salt', version: 1, upgrade: null }
/** A bundle's bytes have a version of their own as well. */
export const blobFormat: Format<Uint8Array> = { name: 'a bundle or picture', version: 1, upgrade: null }
