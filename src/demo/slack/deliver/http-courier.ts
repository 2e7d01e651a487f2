/** Brings parcels over signed HTTP. */
import type { Clock } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { HttpDoor } from '../settings.ts'
import type { Courier, Parcel, Receipt } from './parcel.ts'
import { ACKNOWLEDGE_WITHIN_MS, notAcknowledged } from './parcel.ts'
import { signedHeaders } from './signature.ts'

export function httpCourier(door: HttpDoor, secret: string, clock: Clock): Courier {
  return {
    async carry(parcel, torn) {
      if (torn) return notAcknowledged('connection_failed')
      const { url, type, body } = letter(parcel, door)
      const retry =
        parcel.retry === null ? {} : { 'x-slack-retry-num': String(parcel.retry.num), 'x-slack-retry-reason': parcel.retry.reason }
      const headers = { 'content-type': type, ...signedHeaders(secret, body, clock.now()), ...retry }
      const hangUp = new AbortController()
      const request = fetch(url, { method: 'POST', headers, body, signal: hangUp.signal, redirect: 'manual' })
        .then(receipt)
        .catch(() => notAcknowledged('connection_failed'))
      const waiting = new AbortController()
      const late = clock.sleep(ACKNOWLEDGE_WITHIN_MS, waiting.signal).then(() => notAcknowledged('http_timeout'))
      const first = await Promise.race([request, late])
      waiting.abort()
      hangUp.abort()
      return first
    },
  }
}

async function receipt(response: Response): Promise<Receipt> {
  const noRetry = response.headers.get('x-slack-no-retry') === '1'
  const text = await response.text()
  if (response.status !== 200) return notAcknowledged('http_error', noRetry)
  if (text === '') return { kind: 'acknowledged', body: null }
  const json = (response.headers.get('content-type') ?? '').includes('json') ? parsedJson(text) : undefined
  return { kind: 'acknowledged', body: json ?? text }
}

/** Slash commands and interactions come as forms (with the exact content type that Bolt compares), events as JSON. */
function letter(parcel: Parcel, door: HttpDoor): { readonly url: string; readonly type: string; readonly body: string } {
  if (parcel.kind === 'events_api') return { url: door.events, type: 'application/json', body: JSON.stringify(parcel.payload) }
  const type = 'application/x-www-form-urlencoded'
  if (parcel.kind === 'interactive') {
    return { url: door.interactivity, type, body: new URLSearchParams({ payload: JSON.stringify(parcel.payload) }).toString() }
  }
  const form = Object.fromEntries(Object.entries(parcel.payload).map(([name, value]) => [name, String(value)]))
  return { url: door.commands, type, body: new URLSearchParams(form).toString() }
}
