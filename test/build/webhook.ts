/** Bodies of webhook senders, and their signatures, as the senders make them. */
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../fixtures/webhooks')

/** Recorded bodies of a format by file name. */
export function recordedBodies(format: string): readonly (readonly [string, string])[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${format}-`))
  return names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
}

export function recordedBody(name: string): string {
  return readFileSync(join(folder, `${name}.json`), 'utf8')
}

export interface Written {
  readonly status?: string
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly summary?: string
  readonly url?: string
  readonly fingerprint?: string
  readonly startsAt?: string
}

/** A body of the format with these alerts; what is not said is made up. */
export const bodyOf: Readonly<Record<string, (alerts: readonly Written[]) => unknown>> = {
  alertmanager: (alerts) => notification('4', alerts),
  grafana: (alerts) => notification('1', alerts),
  json: (alerts) => ({ alerts: alerts.map((one) => ({ status: 'firing', name: 'late', startsAt: '2026-11-30T10:05:00Z', ...one })) }),
}

function notification(version: string, alerts: readonly Written[]): unknown {
  return {
    version,
    status: 'firing',
    alerts: alerts.map(({ status = 'firing', name = 'late', labels, summary, url, fingerprint, startsAt }) => ({
      status,
      labels: { alertname: name, ...labels },
      annotations: summary === undefined ? {} : { summary },
      startsAt: startsAt ?? '2026-11-30T10:05:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: url ?? '',
      fingerprint: fingerprint ?? 'a29a32f1d2fce6e1',
    })),
  }
}

/** `<unix seconds>:<body>`, as Grafana signs and our own senders do. */
export function signed(
  body: string | Uint8Array,
  secret: string,
  atMs: number,
  headers: readonly [string, string],
): Record<string, string> {
  const seconds = String(Math.floor(atMs / 1000))
  return { [headers[0]]: createHmac('sha256', secret).update(`${seconds}:`).update(body).digest('hex'), [headers[1]]: seconds }
}
