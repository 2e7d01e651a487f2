/** The rules for Prometheus and the receiver for Alertmanager: as both would read them, and that the one fits the other and Headwater. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../src/config/read-config.ts'
import { routerOf } from '../../src/incident/audience.ts'
import { createLog } from '../../src/log.ts'
import { createCounts, depthFigures } from '../../src/serve/figures.ts'
import { workBeside } from '../../src/serve/work-beside.ts'
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

/** Its blocks of configuration, one below the other; "as above" are the lines of the first. */
const readmeText = (): string => {
  const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block!)
  const [first, around] = [blocks[0]!, blocks[1]!]
  const lines = first.split('\n').filter((line) => line.startsWith('    '))
  return around.replace(/^ {2}orders:.*$/m, (line) => [line, ...lines].join('\n'))
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
  ['the README', () => readmeText()],
])('%s', (_, text) => {
  const { audiences } = readConfig(text(), { env: filled(variablesOf(text())), folder: '/' }).config
  const pipelinesOf = routerOf(audiences)

  // As the rules above bring them of a query "orders-to-delta" that reads a topic "orders", and of a group that reads it as well.
  test.each<[string, Record<string, string>, string[]]>([
    ['ConsumerLagGrows', { topic: 'orders', consumergroup: 'billing-audit' }, []],
    ['ConsumerLagGrowsKminion', { topic: 'orders', consumergroup: 'billing-audit', topic_name: 'orders', group_id: 'billing-audit' }, []],
    ['SparkBatchesSlow', { query: 'orders_to_delta', type: 'gauges' }, ['orders']],
    ['SparkBatchesSlowJmx', { query: 'orders-to-delta', query_name: 'orders-to-delta' }, ['orders']],
    ['SparkExecutorsLost', { application: 'orders-to-delta', application_name: 'orders-to-delta' }, ['orders']],
  ])('takes what the rule %s brings, where it is about its pipeline', (alertname, labels, mean) => {
    expect(rules.groups[0]!.rules.map(({ alert }) => alert)).toContain(alertname)
    expect(pipelinesOf({ alertname, severity: 'warning', ask: 'headwater', ...labels })).toEqual(mean)
  })
})

test('the lag of a group means the pipeline of that group, and no other that reads the topic', () => {
  const text = withoutAlerts(manifestText('headwater.example.yaml')).replace(
    '    group: payments-etl\n',
    '    group: payments-etl\n    channel: C0456ABCD\n',
  )
  const pipelinesOf = routerOf(readConfig(text, { env: filled(variablesOf(text)), folder: '/' }).config.audiences)
  expect(pipelinesOf({ topic: 'payments', consumergroup: 'payments-etl' })).toEqual(['payments'])
  expect(pipelinesOf({ topic: 'payments', consumergroup: 'audit' })).toEqual([])
  expect(pipelinesOf({ topic: 'payments' })).toEqual(['payments'])
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
  const quiet = { program: [], env: {}, log: createLog({ write: () => {} }), line: () => {}, complains: () => {}, hopeless: () => {} }
  const { figures } = workBeside(quiet)
  const metrics = createMetrics([counts.figures, figures, async () => depthFigures({ quick: depth, slow: depth })], false)
  for (const outcome of ['store_away', 'unauthorised']) metrics.answered('alertmanager', outcome, 0.1)
  metrics.alerts('alertmanager', 'unmapped', 1)
  const served = await metrics.text()
  const used = [...manifestText('prometheus-rules.yaml').matchAll(/(headwater_\w+)(?:\{(\w+="\w+")\})?/g)]
  expect(used.length).toBeGreaterThan(5)
  const unserved = used.filter(
    ([, name, label]) =>
      !served.split('\n').some((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(label ?? '')),
  )
  expect(unserved.map(([whole]) => whole)).toEqual([])
})
