/** The rules for Prometheus and the receiver for Alertmanager: as both would read them, and that the one fits the other and Headwater. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../src/config/read-config.ts'
import { routerOf } from '../../src/incident/audience.ts'
import { createCounts, depthFigures } from '../../src/serve/figures.ts'
import { createMetrics } from '../../src/triggers/metrics.ts'
import type { AlertTool } from './alert-tools.ts'
import { alertTool } from './alert-tools.ts'
import { misspellings } from './misspell.ts'
import { filled, manifest, manifestPath, manifestText, root, variablesOf } from './read-manifest.ts'

const duration = z.string().regex(/^(\d+(ms|[smhdwy]))+$/)
const texts = z.record(z.string(), z.string())

/** What of these files Prometheus and Alertmanager know and we use; promtool and amtool know the rest. */
const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: duration.optional(),
          labels: texts,
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
})
const route = z.strictObject({
  receiver: z.string(),
  matchers: z.array(z.string()).optional(),
  continue: z.boolean().optional(),
  group_by: z.array(z.string()).optional(),
})
const receiver = z.strictObject({
  name: z.string(),
  webhook_configs: z
    .array(
      z.strictObject({
        url: z.url(),
        send_resolved: z.boolean(),
        max_alerts: z.int(),
        http_config: z.strictObject({
          follow_redirects: z.boolean(),
          authorization: z.strictObject({ type: z.literal('Bearer'), credentials_file: z.string() }),
        }),
      }),
    )
    .optional(),
})
const alertmanagerSchema = z.strictObject({
  route: route.extend({ group_wait: duration, group_interval: duration, repeat_interval: duration, routes: z.array(route) }),
  receivers: z.array(receiver),
})

const rules = manifest<z.output<typeof rulesSchema>>('prometheus-rules.yaml')
const alertmanager = manifest<z.output<typeof alertmanagerSchema>>('alertmanager.yaml')

test.each([
  ['prometheus-rules.yaml', rulesSchema, rules, /\.labels\.\w+$/],
  ['alertmanager.yaml', alertmanagerSchema, alertmanager, /^$/],
] as const)('%s: every key is known, and a misspelt one is found', (_, schema, value, free) => {
  expect(schema.safeParse(value).error?.issues ?? []).toEqual([])
  const unseen = misspellings(value).filter(({ path, value: one }) => !free.test(path) && schema.safeParse(one).success)
  expect(unseen.map(({ path }) => path)).toEqual([])
})

const configMapText = (): string => {
  const documents = parseAllDocuments(manifestText('kubernetes.yaml')).map(
    (one) => one.toJS() as { kind: string; data?: Record<string, string> },
  )
  return documents.find(({ kind }) => kind === 'ConfigMap')!.data!['headwater.yaml']!
}

/** Without the lists of matchers. */
const withoutAlerts = (text: string): string => text.replace(/\n {4}alerts:(.*\n)(?: {6,}.*\n)+/g, '\n')

/** @returns its exit code and what it says; null = it is not here */
function tool(name: AlertTool, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(alertTool(name)!, args, { cwd: root, encoding: 'utf8' })
  return { status, says: `${stdout}${stderr}` }
}

describe.skipIf(alertTool('promtool') === null)('Prometheus', () => {
  test('takes the rules', () => {
    expect(tool('promtool', 'check', 'rules', manifestPath('prometheus-rules.yaml'))).toMatchObject({ status: 0 })
  })

  test('fires them when it should, with the labels that pipelines are found by', () => {
    const found = tool('promtool', 'test', 'rules', join(root, 'test/manifests/prometheus-rules.unit.yaml'))
    expect(found).toEqual({ status: 0, says: expect.stringContaining('SUCCESS') as string })
  })
})

describe.skipIf(alertTool('amtool') === null)('Alertmanager', () => {
  test('takes the receiver', () => {
    expect(tool('amtool', 'check-config', manifestPath('alertmanager.yaml'))).toMatchObject({ status: 0 })
  })

  test.each([
    ['what asks for Headwater goes there and to whoever is on call', ['ask=headwater', 'topic=orders'], 'headwater,on-call'],
    ['everything else does not', ['alertname=HeadwaterDown'], 'on-call'],
  ])('%s', (_, labels, receivers) => {
    const { says } = tool('amtool', 'config', 'routes', 'test', '--config.file', manifestPath('alertmanager.yaml'), ...labels)
    expect(says.split('\n')[0]).toBe(receivers)
  })
})

describe.each([
  ['the example', () => manifestText('headwater.example.yaml')],
  ['the configuration for Kubernetes', () => configMapText()],
  ['a configuration that names no alerts', () => withoutAlerts(manifestText('headwater.example.yaml'))],
])('%s', (_, text) => {
  const { audiences } = readConfig(text(), { env: filled(variablesOf(text())), folder: '/' }).config
  const pipelinesOf = routerOf(audiences)

  // As the rules above bring them of a query "orders-to-delta" that reads a topic "orders".
  test.each([
    ['ConsumerLagGrows', { topic: 'orders', consumergroup: 'orders-etl' }],
    ['ConsumerLagGrowsKminion', { topic: 'orders', consumergroup: 'orders-etl', topic_name: 'orders', group_id: 'orders-etl' }],
    ['SparkBatchesSlow', { query: 'orders_to_delta', type: 'gauges' }],
    ['SparkBatchesSlowJmx', { query: 'orders-to-delta', query_name: 'orders-to-delta' }],
    ['SparkExecutorsLost', { application: 'orders-to-delta', application_name: 'orders-to-delta' }],
  ])('takes what the rule %s brings', (alertname, labels) => {
    expect(rules.groups[0]!.rules.map(({ alert }) => alert)).toContain(alertname)
    expect(pipelinesOf({ alertname, severity: 'warning', ask: 'headwater', ...labels })).toEqual(['orders'])
  })
})

test('a rule asks for Headwater by the label that the route looks for, and those about Headwater itself do not', () => {
  const [asking, itself] = rules.groups
  expect(asking!.rules.map(({ labels }) => labels.ask)).toEqual(asking!.rules.map(() => 'headwater'))
  expect(itself!.rules.filter(({ labels }) => 'ask' in labels)).toEqual([])
  expect(alertmanager.route.routes[0]).toMatchObject({ receiver: 'headwater', matchers: ['ask="headwater"'] })
})

test('the figures of Headwater that the rules look at are those that it serves, with their labels', async () => {
  const counts = createCounts()
  counts.job('attend', 'broken', 1)
  const depth = { waiting: 1, delayed: 0, active: 0, failed: 0 }
  const metrics = createMetrics([counts.figures, async () => depthFigures({ quick: depth, slow: depth })], false)
  for (const outcome of ['store_away', 'unauthorised']) metrics.answered('alertmanager', outcome, 0.1)
  metrics.alerts('alertmanager', 'unmapped', 1)
  const served = await metrics.text()
  const used = [...manifestText('prometheus-rules.yaml').matchAll(/(headwater_\w+)(?:\{(\w+="\w+")\})?/g)]
  expect(used.length).toBeGreaterThan(5)
  const unserved = used.filter(
    ([, name, label]) => !served.split('\n').some((line) => line.startsWith(`${name}{`) && line.includes(label ?? '')),
  )
  expect(unserved.map(([whole]) => whole)).toEqual([])
})

test('an alert of these rules finds the pipeline of the example', () => {
  const text = manifestText('headwater.example.yaml')
  const { config } = readConfig(text, { env: filled(variablesOf(text)), folder: '/' })
  const labels = { alertname: 'ConsumerLagGrows', severity: 'warning', ask: 'headwater', consumergroup: 'etl', topic: 'orders' }
  expect(routerOf(config.audiences)(labels)).toEqual(['orders'])
})
