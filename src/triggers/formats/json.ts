/** Our own small body, for whatever can send JSON: `manifests/alerts.schema.json` is made from this. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { canonical } from '../../incident/canonical.ts'
import { boundAlert, instant } from '../bound-alert.ts'
import { sayMistake } from '../say-mistake.ts'
import type { Format, ReportedAlert } from './format.ts'

const alertSchema = z.strictObject(
  {
    status: z.enum(['firing', 'resolved'], 'write "firing" or "resolved"'),
    name: z.string('write the name of the alert, e.g. "orders are late"').min(1, 'write the name of the alert, e.g. "orders are late"'),
    startsAt: z
      .string('write since when it holds, e.g. "2026-11-30T14:05:00Z"')
      .refine((text) => instant(text) !== null, 'write a time in RFC 3339, e.g. "2026-11-30T14:05:00Z"')
      .meta({
        format: 'date-time',
        description: 'Since when it holds. The same while it fires and when it is resolved; another one when it fires again.',
      }),
    labels: z
      .record(z.string(), z.string('write each label as text'), 'write a group of texts, e.g. {"topic": "orders"}')
      .default({})
      .describe('What it is about; the matchers of the configuration look at these.'),
    summary: z.string('write text').optional().describe('One line for a person.'),
    url: z.string('write an address').optional().describe('Where a person can see it, http or https.'),
    fingerprint: z
      .string('write text')
      .min(1, 'write text, or leave it out')
      .optional()
      .describe('The same for the same alert. Left out: made from name and labels.'),
  },
  'write a group with status, name and startsAt',
)

const bodySchema = z.strictObject(
  {
    alerts: z.array(alertSchema, 'write a list of alerts').min(1, 'write at least one alert'),
  },
  'write {"alerts": [{"status": "firing", "name": "…", "startsAt": "2026-11-30T14:05:00Z", "labels": {"topic": "orders"}}]}',
)

export const json: Format = {
  name: 'json',
  proof: { kind: 'signature', header: 'x-headwater-signature', timestampHeader: 'x-headwater-timestamp' },
  parse: (body) => {
    const read = bodySchema.safeParse(body)
    if (!read.success) return { kind: 'mistaken', say: sayMistake(read.error) }
    return { kind: 'alerts', alerts: read.data.alerts.map(reported), omitted: 0 }
  },
}

function reported({ status, name, labels, startsAt, summary, url, fingerprint }: z.output<typeof alertSchema>): ReportedAlert {
  const own =
    fingerprint ??
    createHash('sha256')
      .update(canonical([name, labels]))
      .digest('hex')
      .slice(0, 32)
  return boundAlert({ status, fingerprint: own, name, labels: { alertname: name, ...labels }, summaries: [summary], urls: [url], startsAt })
}

/** The schema for other people's tools, as the text of `manifests/alerts.schema.json`. */
export function alertsJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(bodySchema, { io: 'input' })
  const head = { $schema, title: 'Alerts for Headwater', description: 'Body of POST /webhooks/json.' }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}
