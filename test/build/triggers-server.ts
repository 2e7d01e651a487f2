/** The real HTTP server over loopback, before a store that counts, and senders for it. */
import type { Audience } from '../../src/incident/audience.ts'
import { routerOf } from '../../src/incident/audience.ts'
import type { Matcher } from '../../src/incident/matcher.ts'
import { createLog } from '../../src/log.ts'
import { formats } from '../../src/triggers/formats/index.ts'
import type { Figures } from '../../src/triggers/metrics.ts'
import { createMetrics } from '../../src/triggers/metrics.ts'
import type { Checks } from '../../src/triggers/operations.ts'
import type { ServerLimits, Triggers } from '../../src/triggers/serve.ts'
import { serveTriggers } from '../../src/triggers/serve.ts'
import type { CountingStore } from '../fakes/counting-store.ts'
import { countingStore } from '../fakes/counting-store.ts'
import { noon } from './stored-values.ts'
import { signed } from './webhook.ts'

export const secrets = {
  alertmanager: 'a-token-of-the-example',
  grafana: 'grafanas-secret-of-the-tests',
  json: 'our-own-secret-of-the-tests',
} as const

export function audience(pipeline: string, ...alerts: readonly Matcher[][]): Audience {
  const nobody = { users: [], groups: [] }
  return { pipeline, channel: 'C1', channels: ['C1'], owners: nobody, approvals: 1, requesterCounts: true, alerts }
}

const is = (name: string, value: string): Matcher => ({ name, op: '=', value })

export interface Served {
  readonly store: CountingStore
  readonly triggers: Triggers
  readonly url: string
  /** Lines of the log, as written. */
  readonly log: string[]
  /** Sends a body with the proof that its format asks for; `headers` win. */
  readonly post: (
    format: keyof typeof secrets,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ) => Promise<Response>
  readonly get: (path: string) => Promise<Response>
}

export interface ServedOptions {
  readonly audiences?: readonly Audience[]
  readonly limits?: Partial<ServerLimits>
  readonly checks?: Checks
  readonly figures?: readonly Figures[]
  readonly basic?: boolean
  readonly operations?: boolean
  readonly nowMs?: () => number
}

export async function served(options: ServedOptions = {}): Promise<Served> {
  const store = countingStore()
  const log: string[] = []
  const alertmanager = options.basic
    ? ({ kind: 'basic', username: 'alertmanager', password: secrets.alertmanager } as const)
    : ({ kind: 'bearer', token: secrets.alertmanager } as const)
  const audiences = options.audiences ?? [
    audience('orders', [is('topic', 'orders')]),
    audience('payments', [is('topic', 'payments')]),
    audience('platform', [{ name: 'team', op: '=~', value: 'data-p.*' }]),
  ]
  const nowMs = options.nowMs ?? (() => noon)
  const triggers = await serveTriggers({
    doors: {
      listen: { host: '127.0.0.1', port: 0 },
      credentials: {
        alertmanager,
        grafana: { kind: 'signature', secret: secrets.grafana },
        json: { kind: 'signature', secret: secrets.json },
      },
    },
    operations: options.operations ? { host: '127.0.0.1', port: 0 } : null,
    ports: { put: store.put, pipelinesOf: routerOf(audiences), nowMs },
    checks: options.checks ?? {},
    metrics: createMetrics(options.figures ?? [], false),
    log: createLog({ write: (line) => log.push(line), secrets: [...Object.values(secrets), 'a-password-of-the-tests'] }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  })
  const url = `http://127.0.0.1:${triggers.webhooks?.port}`
  return {
    store,
    triggers,
    url,
    log,
    post: (format, body, headers = {}) =>
      fetch(`${url}/webhooks/${format}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...proof(format, body, nowMs()), ...headers },
      }),
    get: (path) => fetch(`http://127.0.0.1:${triggers.operations?.port}${path}`),
  }
}

/** Headers by which the sender of a format proves itself. */
export function proof(format: keyof typeof secrets, body: string | Uint8Array, atMs: number): Record<string, string> {
  const kind = formats.find((one) => one.name === format)!.proof
  if (kind.kind === 'shared_secret') return { authorization: `Bearer ${secrets[format]}` }
  return signed(body, secrets[format], atMs, [kind.header, kind.timestampHeader])
}
