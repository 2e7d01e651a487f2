/** What those who run the service ask it: is it alive, is it ready, how is it doing. */
import type { IncomingMessage } from 'node:http'
import { within } from '../within.ts'
import type { Answer } from './answer.ts'
import type { Metrics } from './metrics.ts'

/** By name, e.g. store, slack. Answers with null when all is well, else in a few fixed words what is not. */
export type Checks = Readonly<Record<string, () => Promise<string | null>>>

const checkWithinMs = 2_000

/** @returns null = the path is none of these */
export async function operationsAnswer(
  path: string,
  request: IncomingMessage,
  checks: Checks,
  metrics: Metrics,
  closing: boolean,
): Promise<Answer | null> {
  if (!['/healthz', '/readyz', '/metrics'].includes(path)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, body: { error: 'send GET' }, headers: { Allow: 'GET, HEAD' } }
  }
  // Alive is who answers at all; what it depends on is a matter of being ready.
  if (path === '/healthz') return { status: 200, body: { alive: true } }
  if (path === '/metrics') return { status: 200, body: await metrics.text(), headers: { 'Content-Type': metrics.contentType } }
  const found = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await wrong(check)] as const))
  const not = Object.fromEntries(found.filter(([, why]) => why !== null))
  if (closing) not.service = 'is being stopped'
  const ready = Object.keys(not).length === 0
  return { status: ready ? 200 : 503, body: ready ? { ready } : { ready, not } }
}

async function wrong(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await within(check, checkWithinMs)
  } catch {
    // What was thrown may hold an address or a login; the log has it.
    return 'does not answer'
  }
}
