/** Slack, webhooks and who a pipeline concerns, in the configuration file. */
import { describe, expect, test } from 'vitest'
import { mistakeLine } from '../../src/config/mistake.ts'
import { readConfig } from '../../src/config/read-config.ts'

const read = (text: string, env: Record<string, string> = {}) => readConfig(text, { env, folder: '/etc/headwater' })
const lines = (text: string, env?: Record<string, string>) => read(text, env).mistakes.map((m) => mistakeLine('f', m))

const orders = `pipelines:
  orders:
    topic: orders
    brokers: [kafka:9092]
`
const secret = 'sixteen-and-more-characters'

test('everything around a pipeline', () => {
  const text = `${orders}    channel: C0456ABCD
    channels: [C0789ABCD, C0456ABCD]
    owners: { users: [U0123ABCD], groups: [S0123ABCD], approvals: 2, requester_may_approve: false }
    alerts:
      - matchers: ['topic="orders"', 'team=~"data.*"']
      - matchers: ['app="orders-etl", env!="test"']
`
  const { config, mistakes } = read(text)
  expect(mistakes).toEqual([])
  expect(config.audiences).toEqual([
    {
      pipeline: 'orders',
      channel: 'C0456ABCD',
      channels: ['C0456ABCD', 'C0789ABCD'],
      owners: { users: ['U0123ABCD'], groups: ['S0123ABCD'] },
      approvals: 2,
      requesterCounts: false,
      alerts: [
        [
          { name: 'topic', op: '=', value: 'orders' },
          { name: 'team', op: '=~', value: 'data.*' },
        ],
        [
          { name: 'app', op: '=', value: 'orders-etl' },
          { name: 'env', op: '!=', value: 'test' },
        ],
      ],
    },
  ])
})

test('who names no alerts means those that carry its names; an empty list means none, and where none can be told none is meant', () => {
  const alertsOf = (lines: string) => {
    const { audiences } = read(`${orders}    query: orders-to-delta\n    group: etl\n${lines}`).config
    return audiences[0]!.alerts.map((route) => route.map(({ name, op, value }) => `${name}${op}${value}`).join())
  }
  expect(alertsOf('    channel: C0456ABCD\n')).toEqual([
    'topic=orders,consumergroup=,consumer_group=,group=,group_id=',
    'pipeline=orders',
    'query=orders-to-delta',
    'query=orders_to_delta',
    'application=orders-to-delta',
    'consumergroup=etl',
  ])
  expect([alertsOf('    channel: C0456ABCD\n    alerts: []\n'), alertsOf('')]).toEqual([[], []])
})

test('an alert that no pipeline means is told where the file says, else in the channel of the first pipeline that has one', () => {
  const channel = `${orders}    channel: C0456ABCD\n`
  const told = (text: string) => read(text).config.unmappedChannel
  expect([told(`alerts: { unmapped_channel: C0123ABCD }\n${channel}`), told(channel), told(orders)]).toEqual([
    'C0123ABCD',
    'C0456ABCD',
    null,
  ])
})

test('Slack by socket, and Slack by HTTP', () => {
  const env = { B: 'xoxb-1', A: 'xapp-1', S: 'signs' }
  expect(read(`slack: { team: T0123ABCD, bot_token_env: B, app_token_env: A }\n${orders}`, env).config.slack).toEqual({
    team: 'T0123ABCD',
    botToken: 'xoxb-1',
    connection: { mode: 'socket', appToken: 'xapp-1' },
  })
  const http = 'slack: { team: T0123ABCD, mode: http, bot_token_env: B, signing_secret_env: S, listen: "0.0.0.0:3000" }'
  expect(read(`${http}\n${orders}`, env).config.slack?.connection).toEqual({
    mode: 'http',
    signingSecret: 'signs',
    listen: { host: '0.0.0.0', port: 3000 },
  })
})

test('doors for alerts, with their secrets', () => {
  const text = `webhooks:
  listen: "[::]:8080"
  operations: 127.0.0.1:9464
  alertmanager: { basic: { username: am, password_env: P } }
  grafana: { secret_env: G }
alerts: { unmapped_channel: C0123ABCD }
${orders}`
  const { config, mistakes } = read(text, { P: secret, G: `${secret}-2` })
  expect(mistakes).toEqual([])
  expect(config.unmappedChannel).toBe('C0123ABCD')
  expect(config.webhooks).toEqual({
    listen: { host: '::', port: 8080 },
    operations: { host: '127.0.0.1', port: 9464 },
    credentials: {
      alertmanager: { kind: 'basic', username: 'am', password: secret },
      grafana: { kind: 'signature', secret: `${secret}-2` },
    },
  })
})

test('one address for both is one server', () => {
  const text = `webhooks: { listen: "127.0.0.1:8080", operations: "127.0.0.1:8080" }\n${orders}`
  expect(read(text).config.webhooks?.operations).toBeNull()
  // Twice any port that is free is two.
  expect(read(text.replaceAll('8080', '0')).config.webhooks?.operations).toEqual({ host: '127.0.0.1', port: 0 })
})

test('every mistake around pipelines is said at once', () => {
  const text = `slack:
  team: my-company
  bot_token: xoxb-1234
  mode: sockets
webhooks:
  listen: 8080
  alertmanger: { bearer_env: A }
  alertmanager: { bearer_env: A, basic: { username: u, password_env: P } }
  grafana: { secret: hunter2 }
  json: { secret_env: "the secret itself" }
alerts: { unmapped_channel: "#alerts" }
pipelines:
  orders:
    topic: orders
    brokers: [kafka:9092]
    channel: "#orders"
    chanels: [C0123ABCD]
    owners: { users: ["@alice"], approvals: 0 }
    alerts:
      - matchers: []
      - matchers: ['topic=~"(orders"', 'topic']
      - match: { topic: orders }
`
  expect(lines(text)).toEqual([
    'f:1:1 slack.bot_token_env: is missing; name the environment variable that holds the bot token (xoxb-…), e.g. SLACK_BOT_TOKEN',
    `f:2:9 slack.team: "my-company" does not fit here; write Slack's id of your workspace, e.g. T0123ABCD`,
    'f:3:3 slack.bot_token: unknown key; did you mean bot_token_env?',
    'f:4:9 slack.mode: "sockets" does not fit here; write one of socket, http',
    'f:6:11 webhooks.listen: 8080 does not fit here; write host:port to listen on, e.g. 0.0.0.0:8080',
    'f:7:3 webhooks.alertmanger: unknown key; did you mean alertmanager?',
    'f:8:17 webhooks.alertmanager: a group of keys does not fit here; write either bearer_env or basic, one of the two',
    'f:9:3 webhooks.grafana.secret_env: is missing; name the environment variable that holds the secret that signs, e.g. GRAFANA_SECRET',
    'f:9:14 webhooks.grafana.secret: a secret does not belong in this file; keep it in an environment variable and name that here: secret_env: GRAFANA_SECRET',
    'f:10:23 webhooks.json.secret_env: this does not fit here; name the environment variable that holds the secret that signs, e.g. WEBHOOK_SECRET',
    `f:11:29 alerts.unmapped_channel: "#alerts" does not fit here; write Slack's id of the channel (at the end of what its name opens), e.g. C0123ABCD`,
    `f:16:14 pipelines.orders.channel: "#orders" does not fit here; write Slack's id of the channel (at the end of what its name opens), e.g. C0123ABCD`,
    'f:17:5 pipelines.orders.chanels: unknown key; did you mean channels?',
    `f:18:23 pipelines.orders.owners.users[0]: "…@alice" does not fit here; write Slack's id of a person (⋮ in the profile, "Copy member ID"), e.g. U0123ABCD`,
    'f:18:45 pipelines.orders.owners.approvals: 0 does not fit here; write 1 or more',
    'f:20:19 pipelines.orders.alerts[0].matchers: an empty list does not fit here; write at least one matcher: none would match every alert',
    'f:21:20 pipelines.orders.alerts[1].matchers[0]: "topic=~\\"(orders\\"" does not fit here; the regular expression has a "(" without its ")"; write one in the syntax of RE2, as for Alertmanager',
    'f:21:40 pipelines.orders.alerts[1].matchers[1]: "topic" does not fit here; this is no matcher; write label="value" with =, !=, =~ or !~ between them, e.g. topic="orders" or team=~"data.*"',
    `f:22:9 pipelines.orders.alerts[2].matchers: is missing; write matchers as for Alertmanager, each in single quotes, e.g. ['topic="orders"', 'team=~"data.*"']`,
    'f:22:9 pipelines.orders.alerts[2].match: unknown key; known here: matchers',
  ])
})

describe('what only shows together', () => {
  test.each<[string, string, string]>([
    [
      'socket mode without its token',
      `slack: { team: T01, bot_token_env: B }\n${orders}`,
      'f:1:1 slack.app_token_env: is missing; mode socket needs it, e.g. SLACK_APP_TOKEN',
    ],
    [
      'socket mode with what it has no use for',
      `slack: { team: T01, bot_token_env: B, app_token_env: A, listen: "a:1" }\n${orders}`,
      'slack.listen: "a:1" does not fit here; mode socket has no use for it; leave it out',
    ],
    [
      'HTTP mode without an address',
      `slack: { team: T01, mode: http, bot_token_env: B, signing_secret_env: S }\n${orders}`,
      'slack.listen: is missing; mode http needs it, e.g. 0.0.0.0:3000',
    ],
    [
      'a secret that is not in the environment',
      `slack: { team: T01, bot_token_env: NOWHERE, app_token_env: A }\n${orders}`,
      'slack.bot_token_env: environment variable NOWHERE is not set; export NOWHERE before calling headwater',
    ],
    [
      'a secret that could be guessed',
      `webhooks: { listen: "a:1", grafana: { secret_env: SHORT } }\n${orders}`,
      'webhooks.grafana.secret_env: environment variable SHORT holds fewer than 16 characters; make a longer one, e.g. with openssl rand -hex 32',
    ],
    [
      'a door without a secret',
      `webhooks: { listen: "a:1", alertmanager: {} }\n${orders}`,
      'webhooks.alertmanager: a group of keys does not fit here; write either bearer_env or basic, one of the two',
    ],
    ['a port that there is not', `webhooks: { listen: "a:70000" }\n${orders}`, 'a port is at most 65535'],
    [
      'alerts without a channel',
      `${orders}    alerts: [{ matchers: ['topic="orders"'] }]\n`,
      'f:5:13 pipelines.orders.alerts: its alerts have no channel to be told in; write channel: C0123ABCD beside it',
    ],
    [
      'owners who are nobody',
      `${orders}    owners: { approvals: 1 }\n`,
      'pipelines.orders.owners: a group of keys does not fit here; name at least one owner',
    ],
    [
      'more approvals than owners',
      `${orders}    owners: { users: [U01, U01], approvals: 2 }\n`,
      'f:5:45 pipelines.orders.owners.approvals: 2 does not fit here; write no more approvals than there are owners',
    ],
  ])('%s', (_, text, says) => {
    expect(lines(text, { B: 'b', A: 'a', S: 's', SHORT: 'short' }).join('\n')).toContain(says)
  })

  test('approvals can come from a group, however many it has', () => {
    expect(lines(`${orders}    owners: { groups: [S01], approvals: 3 }\n`)).toEqual([])
  })
})

test('no mistake repeats a secret that was written in the wrong place', () => {
  const text = `slack: { team: T01, bot_token_env: "xoxb hunter2", token: hunter2 }
webhooks: { listen: "a:1", alertmanager: { bearer_env: "Bearer hunter2" }, json: { secret: hunter2 } }
${orders}`
  expect(lines(text).length).toBeGreaterThan(3)
  expect(lines(text).join('\n')).not.toContain('hunter2')
})

test('a mistake in Slack leaves pipelines and webhooks usable', () => {
  const { config } = read(`slack: {}\nwebhooks: { listen: "a:1" }\n${orders}`)
  expect([config.slack, config.webhooks?.listen.port, config.pipelines.length]).toEqual([null, 1, 1])
})
