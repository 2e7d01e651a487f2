/** Slack's signature of what it sends over HTTP. */
import { createHmac } from 'node:crypto'

/** `v0=` + HMAC-SHA256 of "v0:timestamp:body", hex. */
export function signedHeaders(secret: string, body: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const hex = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hex}` }
}
