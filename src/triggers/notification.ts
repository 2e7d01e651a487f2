/**
 * The body that Alertmanager invented and Grafana took over: one notification with the alerts of a group, each firing or resolved. Only
 * what is used is asked for, so that new fields break nothing. Sources: alertmanager notify/webhook/webhook.go and template.Data;
 * grafana/alerting receivers/webhook/v1 and templates.ExtendedData. Go writes an empty map as null.
 */
import { z } from 'zod'
import { boundAlert, instant } from './bound-alert.ts'
import type { Reading } from './formats/format.ts'
import { sayMistake } from './say-mistake.ts'

const texts = z
  .record(z.string(), z.string('write each value as text'), 'write a group of texts')
  .nullish()
  .transform((group) => group ?? {})

const time = z
  .string('write a time, e.g. 2026-11-30T14:05:00Z')
  .refine((text) => instant(text) !== null, 'write a time in RFC 3339, e.g. 2026-11-30T14:05:00Z')

const text = z.string('write text').optional()

const alertSchema = z.object({
  status: z.enum(['firing', 'resolved'], 'write "firing" or "resolved"'),
  labels: texts,
  annotations: texts,
  startsAt: time,
  fingerprint: z.string('write the fingerprint of the alert').min(1, 'write the fingerprint of the alert'),
  generatorURL: text,
  dashboardURL: text,
  panelURL: text,
})

/** @param version of the body, as its sender names it */
export function notificationParser(version: string, sender: string): (body: unknown) => Reading {
  const schema = z.object(
    {
      version: z.literal(version, `this door takes the usual body of ${sender}, version "${version}", without a template of your own`),
      alerts: z.array(alertSchema, 'write a list of alerts'),
      truncatedAlerts: z
        .int('write a whole number')
        .nonnegative('write 0 or more')
        .nullish()
        .transform((count) => count ?? 0),
    },
    `this door takes the usual body of ${sender}, a group with version and alerts`,
  )
  return (body) => {
    const read = schema.safeParse(body)
    if (!read.success) return { kind: 'mistaken', say: sayMistake(read.error) }
    return { kind: 'alerts', alerts: read.data.alerts.map(reported), omitted: read.data.truncatedAlerts }
  }
}

function reported(alert: z.output<typeof alertSchema>) {
  const { status, labels, annotations, fingerprint, startsAt } = alert
  return boundAlert({
    status,
    fingerprint,
    labels,
    startsAt,
    name: labels.alertname ?? '',
    summaries: [annotations.summary, annotations.message, annotations.description],
    urls: [alert.panelURL, alert.dashboardURL, alert.generatorURL],
  })
}
