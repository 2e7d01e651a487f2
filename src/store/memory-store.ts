/**
 * The store in one process, for a look at Headwater without Redis and for tests: everything is lost on exit. Nothing in here
 * waits, so every call is one step by itself. Values are kept as the same text as in Redis.
 */
import type { Actor } from '../incident/trigger.ts'
import type { Change, Store } from '../workflow/incident-ports.ts'
import { seal, unseal } from '../workflow/stored.ts'
import type { SealedChange } from './change.ts'
import { sealChange } from './change.ts'
import { ExpiringMap } from './expiring-map.ts'
import { asideFormat, deliveryFormat, entryFormat, incidentFormat, saltFormat, wantedFormat } from './formats.ts'
import type { StoreLimits } from './limits.ts'
import { fitting, refuseTooLarge, usualLimits } from './limits.ts'
import { MemoryBlobs } from './memory-blobs.ts'
import { MemoryInbox } from './memory-inbox.ts'

/** Bytes of all bundles and pictures. */
const mostBytes = 256 << 20

/** @param nowMs epoch ms: what is to be kept for a time ends by it */
export function memoryStore(nowMs: () => number, limits: StoreLimits = usualLimits): Store {
  const inbox = new MemoryInbox(limits, nowMs)
  const incidents = new ExpiringMap<NonNullable<SealedChange['incident']>>(nowMs)
  const current = new ExpiringMap<string>(nowMs)
  const messages = new ExpiringMap<{ readonly edition: number; readonly wanted: string; readonly delivery: string }>(nowMs)
  const blobs = new MemoryBlobs(nowMs, limits.keepMs, mostBytes)
  const entries: string[] = []
  const turns = new Map<string, number>()
  const salts = new Map<string, string>()
  /** Newest first. */
  let aside: readonly string[] = []
  let head = { number: 0, digest: '0'.repeat(64) }

  const spokenOf = (): ReadonlySet<string> => new Set(incidents.values().flatMap(({ state, keeps }) => (state === 'open' ? keeps : [])))

  const conflicts = ({ inputs, incident, ledger }: SealedChange): boolean => {
    if (!inbox.stand(inputs)) return true
    if (ledger !== undefined && (ledger.after !== head.number || ledger.afterDigest !== head.digest)) return true
    if (incident === undefined) return false
    if ((incidents.get(incident.id)?.version ?? 0) !== incident.version) return true
    return incident.version === 0 && incidents.get(current.get(incident.pipeline) ?? '')?.state === 'open'
  }

  const write = (change: SealedChange): void => {
    const { inputs, incident, ledger } = change
    if (ledger !== undefined) {
      entries.push(...ledger.entries.map(({ value }) => value))
      head = { number: ledger.number, digest: ledger.digest }
    }
    inbox.dealtWith(inputs)
    aside = [...change.aside.toReversed(), ...aside].slice(0, limits.mostAside)
    if (incident !== undefined) {
      incidents.set(incident.id, { ...incident, version: incident.version + 1 }, limits.keepMs)
      blobs.renew(incident.keeps)
      const newest = incident.version === 0 ? incident.id : current.get(incident.pipeline)
      if (newest !== undefined) current.set(incident.pipeline, newest, limits.keepMs)
    }
    for (const { slot, edition, wanted, planned } of change.messages) {
      const stands = messages.get(slot)
      if ((stands?.edition ?? 0) < edition) messages.set(slot, { edition, wanted, delivery: stands?.delivery ?? planned }, limits.keepMs)
    }
    for (const { key, value } of change.jobs) inbox.ask(key, value)
  }

  return {
    put: async (input) => inbox.put(input, incidents.get(current.get(input.pipeline) ?? '')?.state === 'open'),
    async attend(pipeline, most) {
      const newest = incidents.get(current.get(pipeline) ?? '')
      const incident = newest === undefined ? null : unseal(incidentFormat, newest.value)
      return { pipeline, incident, version: newest?.version ?? 0, inputs: inbox.read(pipeline, most), head }
    },
    aside: async (most) => aside.slice(0, most).map((text) => unseal(asideFormat, text)),
    async incident(id) {
      const found = incidents.get(id)
      return found === undefined ? null : { value: unseal(incidentFormat, found.value), version: found.version }
    },
    async incidents({ state, most }) {
      const found = incidents.values().filter((incident) => state === 'any' || incident.state === 'open')
      return found.slice(0, most).map(({ value }) => unseal(incidentFormat, value))
    },
    async commit(change: Change) {
      const sealed = sealChange(change, limits.mostValueBytes)
      if (conflicts(sealed)) return 'conflict'
      write(sealed)
      return 'done'
    },
    async keep(bytes) {
      refuseTooLarge(bytes.length, limits.mostBlobBytes)
      return blobs.keep(bytes, spokenOf)
    },
    bytes: async (key) => blobs.bytes(key),
    ledger: async (from, most) =>
      entries
        .slice(Math.max(from - 1, 0))
        .slice(0, most)
        .map((text) => unseal(entryFormat, text)),
    head: async () => head,
    async wanted(slot) {
      const found = messages.get(slot)
      if (found === undefined) return null
      return { wanted: unseal(wantedFormat, found.wanted), delivery: unseal(deliveryFormat, found.delivery) }
    },
    async deliver(before, after) {
      const delivery = fitting(seal(deliveryFormat, after), limits.mostValueBytes)
      const found = messages.get(before.slot)
      if (found === undefined || found.delivery !== seal(deliveryFormat, before)) return false
      messages.set(before.slot, { ...found, delivery }, limits.keepMs)
      return true
    },
    async turn(channel, now, everyMs) {
      const free = turns.get(channel) ?? 0
      if (free > now && free <= now + everyMs) return free - now
      turns.set(channel, now + everyMs)
      return free > now ? everyMs : null
    },
    async salt(person, candidate) {
      const kept = salts.get(saltKey(person)) ?? seal(saltFormat, candidate)
      salts.set(saltKey(person), kept)
      return unseal(saltFormat, kept)
    },
    async eraseSalt(person) {
      salts.set(saltKey(person), seal(saltFormat, null))
    },
    asked: async (now, most) => inbox.asked(now, most),
    handedOver: async (keys) => inbox.handedOver(keys),
    close: async () => {},
  }
}

function saltKey({ team, user }: Actor): string {
  return `${team}/${user}`
}
