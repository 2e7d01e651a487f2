/** The whole service in one process, without a Redis: for a look at it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/app.ts'
import type { ServiceSettings } from '../../src/config/service.ts'
import { demoApp } from '../../src/demo/slack/settings.ts'
import { createLog } from '../../src/log.ts'
import { inProcessQueue } from '../../src/queue/in-process-queue.ts'
import type { ServeOptions } from '../../src/serve.ts'
import { serve } from '../../src/serve.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { access, openStand } from '../build/slack-app.ts'
import { drillSource } from '../fakes/drill-source.ts'

const channel = 'C0INCIDENTS'

function settings(): ServiceSettings {
  const nowhere = { brokers: ['kafka:9092'], clientId: 'headwater', tls: false, sasl: null }
  const unset = { spark: null, query: null, checkpoint: null, eventLog: null, table: null, group: null }
  const declared = { triggerSeconds: null, maxOffsetsPerTrigger: null }
  const objective = { freshnessSeconds: null, lagSeconds: null }
  const owners = { users: ['U0BEN'], groups: [] }
  const orders = { name: 'orders', topic: 'orders-s3', kafka: nowhere, ...unset, declared, objective }
  return {
    zone: 'UTC',
    pipelines: [orders],
    audiences: [{ pipeline: 'orders', channel, channels: [channel], owners, approvals: 1, requesterCounts: true, alerts: [] }],
    slack: access('socket'),
    webhooks: null,
    unmappedChannel: null,
    redis: null,
    ledger: { key: 'a-key-of-the-tests' },
  }
}

async function served(over: Partial<ServeOptions> = {}) {
  const stand = await openStand()
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), secrets: [demoApp.botToken, demoApp.appToken] })
  const queue = inProcessQueue({ clock: systemClock, atOnce: { quick: 4, slow: 2 }, troubled: () => {} })
  const embedded = { store: memoryStore(Date.now), queue }
  const sources = [drillSource('hot_partition-live-3')]
  const operations = { host: '127.0.0.1', port: 0 }
  const service = await serve({ settings: settings(), role: 'all', log, sources, slackApiUrl: stand.apiUrl, embedded, operations, ...over })
  onTestFinished(() => service.close(100))
  return { stand, service, lines }
}

test('asked, it answers with a verdict, a picture and a proposal that an owner can approve', { timeout: 30_000 }, async () => {
  const { stand, service } = await served()
  const { observer } = stand
  const home = () => observer.messages(channel).find(({ threadTs }) => threadTs === null)
  await observer.type({ user: 'U0AMARA', channel, line: '/headwater diagnose orders' })
  expect(await observer.until(() => JSON.stringify(home()?.now.blocks ?? '').includes('"image"'), 15_000)).toBe(true)
  await observer.press({ user: 'U0BEN', in: { channel, ts: home()!.ts }, on: 'headwater_approve' })
  expect(await observer.until(() => JSON.stringify(home()?.now.blocks ?? '').includes('approved by'), 10_000)).toBe(true)
  const { port } = service.operations!
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ ready: true })
  expect([service.webhooks, service.slack]).toEqual([null, null])
})

test('an app alone stores what comes, and looks at nothing', async () => {
  const { stand, lines } = await served({ role: 'app' })
  await stand.observer.type({ user: 'U0AMARA', channel, line: '/headwater diagnose orders' })
  await sleep(500)
  expect(stand.observer.messages(channel)).toEqual([])
  expect(stand.observer.shownOnlyTo('U0AMARA')[0]?.now.text).toContain('I am looking at orders')
  expect(lines.join('')).not.toContain('an incident moved')
})

test('a token that Slack does not take ends the start with a reason, and leaves nothing open', async () => {
  const slack = { ...access('socket'), botToken: 'xoxb-of-somebody-else' }
  await expect(served({ settings: { ...settings(), slack } })).rejects.toMatchObject({ code: 'slack_refused' })
})

test('without Redis and without anything in its place nothing is begun', async () => {
  await expect(served({ embedded: null })).rejects.toMatchObject({ code: 'config_mistaken' })
})

test('a pipeline that nobody can ask about is said at the start', async () => {
  const all = settings()
  const audiences = all.audiences.map((one) => ({ ...one, channel: null, channels: [] }))
  const { lines } = await served({ settings: { ...all, audiences }, role: 'app' })
  expect(lines.join('')).toContain('"pipeline":"orders","message":"nobody can ask about a pipeline: it has no channel"')
})
