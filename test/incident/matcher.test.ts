import { describe, expect, test } from 'vitest'
import type { Audience } from '../../src/incident/audience.ts'
import { routerOf } from '../../src/incident/audience.ts'
import type { Matcher } from '../../src/incident/matcher.ts'
import { matcherText, matchesAll, parseMatchers } from '../../src/incident/matcher.ts'
import { suggestedMatchers } from '../../src/incident/unmapped.ts'

function parsed(text: string): readonly Matcher[] {
  const read = parseMatchers(text)
  if ('mistake' in read) throw new Error(read.mistake.what)
  return read.matchers
}

test.each<[string, readonly Matcher[]]>([
  ['topic="orders"', [{ name: 'topic', op: '=', value: 'orders' }]],
  [' topic = orders ', [{ name: 'topic', op: '=', value: 'orders' }]],
  ['team=~"data.*"', [{ name: 'team', op: '=~', value: 'data.*' }]],
  ['team!="x"', [{ name: 'team', op: '!=', value: 'x' }]],
  ['team!~x|y', [{ name: 'team', op: '!~', value: 'x|y' }]],
  ['topic=""', [{ name: 'topic', op: '=', value: '' }]],
  ['topic=', [{ name: 'topic', op: '=', value: '' }]],
  ['status=~"\\d+"', [{ name: 'status', op: '=~', value: '\\d+' }]],
  ['quote="She said: \\"Hi, all\\" \\\\ \\n"', [{ name: 'quote', op: '=', value: 'She said: "Hi, all" \\ \n' }]],
  ['"service.name"="a"', [{ name: 'service.name', op: '=', value: 'a' }]],
  ['service.name="a"', [{ name: 'service.name', op: '=', value: 'a' }]],
  [
    '{topic="a,b", team!=x,}',
    [
      { name: 'topic', op: '=', value: 'a,b' },
      { name: 'team', op: '!=', value: 'x' },
    ],
  ],
  ['re=~"a{1,2}"', [{ name: 're', op: '=~', value: 'a{1,2}' }]],
])('%s', (text, matchers) => {
  expect(parsed(text)).toEqual(matchers)
})

test.each<[string, string]>([
  ['', 'no matcher in it'],
  ['{}', 'no matcher in it'],
  ['orders', 'this is no matcher'],
  ['topic: orders', 'this is no matcher'],
  ['topic=="orders"', 'one "=" is enough'],
  ['="orders"', 'this is no matcher'],
  ['topic="orders', 'the quotes around the value do not pair up'],
  ['topic=or"ders', 'the quotes around the value do not pair up'],
  ['team=~"data(.*"', 'the regular expression has a "(" without its ")"'],
  ['team=~"(?!x)y"', 'the regular expression has look-around or an unknown group "(?"'],
])('%j is no matcher', (text, what) => {
  expect(parseMatchers(text)).toMatchObject({ mistake: { what } })
})

describe('matching', () => {
  const labels = { topic: 'orders', team: 'data-platform', constructor: 'x' }
  test.each<[string, boolean]>([
    ['topic="orders"', true],
    ['topic="order"', false],
    ['topic=~"order"', false],
    ['topic=~"order.?"', true],
    ['topic!="orders"', false],
    ['topic!~"pay.*"', true],
    ['severity=""', true],
    ['severity!="critical"', true],
    ['severity=~".+"', false],
    ['severity!~".+"', true],
    ['toString=""', true],
    ['topic="orders",team=~"data.*"', true],
    ['topic="orders",team="x"', false],
  ])('%s is %s', (text, says) => {
    expect(matchesAll(parsed(text))(labels)).toBe(says)
  })
})

test('an alert means every pipeline of which one entry matches, in the order of the configuration', () => {
  const audience = (pipeline: string, ...alerts: string[]): Audience => ({
    pipeline,
    channel: 'C1',
    channels: ['C1'],
    owners: { users: [], groups: [] },
    approvals: 1,
    requesterCounts: true,
    alerts: alerts.map(parsed),
  })
  const route = routerOf([
    audience('orders', 'topic="orders"', 'app="orders-etl"'),
    audience('payments', 'topic="payments"'),
    audience('all-of-data', 'team=~"data.*"'),
    audience('none'),
  ])
  expect(route({ topic: 'orders', team: 'data-platform' })).toEqual(['orders', 'all-of-data'])
  expect(route({ app: 'orders-etl' })).toEqual(['orders'])
  expect(route({ topic: 'clicks' })).toEqual([])
})

describe('what to write for an alert that nobody claims', () => {
  test.each<[Record<string, string>, readonly string[]]>([
    [{ alertname: 'Lag', team: 'data', topic: 'orders', severity: 'warning' }, ['topic="orders"', 'team="data"']],
    [{ alertname: 'Late', pipeline: 'orders', severity: 'page' }, ['pipeline="orders"']],
    [{ alertname: 'ExecutorsLost', application_name: 'orders-to-delta' }, ['application_name="orders-to-delta"']],
    [{ alertname: 'Lag', severity: 'warning' }, ['alertname="Lag"']],
    // All alerts of an exporter carry these.
    [{ alertname: 'Lag', namespace: 'prod', job: 'kafka-exporter' }, ['alertname="Lag"', 'job="kafka-exporter"', 'namespace="prod"']],
    // What cannot be shown as it is would match nothing when it is copied.
    [{ alertname: 'Lag', topic: 'x\u200by', group: 'g' }, ['group="g"']],
    [{ alertname: 'Lag', topic: 'a'.repeat(150) }, ['alertname="Lag"']],
    [{ topic: 'a\u202eb' }, []],
    [{ 'odd label': 'a "b" \\ c' }, ['"odd label"="a \\"b\\" \\\\ c"']],
    [{}, []],
  ])('%j', (labels, lines) => {
    expect(suggestedMatchers(labels)).toEqual(lines)
    if (lines.length > 0) expect(matchesAll(lines.flatMap(parsed))(labels)).toBe(true)
  })

  test('whatever the value, it matches itself', () => {
    for (const value of ['a,b', 'a"b', 'a\\', '\\n', 'a\nb', '{x}', ' a ', '']) {
      expect(parsed(matcherText('topic', value))).toEqual([{ name: 'topic', op: '=', value }])
    }
  })
})
