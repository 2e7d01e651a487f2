/**
 * Grafana's unified alerting (12 and later), webhook body version 1. It signs with HMAC-SHA256 once a secret is set: over the body alone,
 * or over `<unix seconds>:<body>` once a timestamp header is named too (grafana/alerting http/hmac.go). Only the second protects from
 * replay, so only that is taken; Grafana has no name of its own for that header, and is told ours.
 */
import { notificationParser } from '../notification.ts'
import type { Format } from './format.ts'

export const grafana: Format = {
  name: 'grafana',
  proof: { kind: 'signature', header: 'x-grafana-alerting-signature', timestampHeader: 'x-grafana-alerting-timestamp' },
  parse: notificationParser('1', 'Grafana'),
}
