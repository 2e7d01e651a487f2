/**
 * How soon Slack hears that we have what it brought: 500 commands and 500 presses by 40 people within some seconds, before a store that
 * takes a moment for each. `node test/bench/slack-acks.ts [SECONDS]`; the stand-in of Slack, which sends them, is in this process too.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { demoApp } from '../../src/demo/slack/settings.ts'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import type { Audience } from '../../src/incident/audience.ts'
import { createLog } from '../../src/log.ts'
import type { Pressable } from '../../src/report/message.ts'
import { serveSlack } from '../../src/slack/app.ts'
import { incident } from '../build/stored-values.ts'
import { title } from './figures.ts'
import { paced, quantiles } from './paced.ts'

const withinMs = Number(process.argv[2] ?? 20) * 1_000
const requests = 1_000
const people = Array.from({ length: 40 }, (_, i) => `U0P${String(i).padStart(4, '0')}`)
const channel = 'C0INCIDENTS'
/** About what Redis takes on another machine. */
const storeMs = 2

async function run(mode: 'socket' | 'http'): Promise<void> {
  const stand = await startStandIn({ rateLimits: false })
  const ben = stand.workspace.users.get('U0BEN')!
  for (const id of people) {
    stand.workspace.users.set(id, { ...ben, id, name: id.toLowerCase() })
    stand.workspace.channels.get(channel)!.members.add(id)
  }
  const owners = { users: people, groups: [] }
  const audience: Audience = { pipeline: 'orders', channel, channels: [channel], owners, approvals: 1, requesterCounts: true, alerts: [] }
  const keys = new Set<string>()
  const connection =
    mode === 'socket'
      ? ({ mode, appToken: demoApp.appToken } as const)
      : ({ mode, signingSecret: demoApp.signingSecret, listen: { host: '127.0.0.1', port: 0 } } as const)
  const app = await serveSlack({
    access: { team: 'T0STANDIN', botToken: demoApp.botToken, connection },
    audiences: [audience],
    unmappedChannel: null,
    zone: 'UTC',
    log: createLog({ write: () => {} }),
    nowMs: Date.now,
    apiUrl: stand.apiUrl,
    store: {
      async put({ key }) {
        await sleep(storeMs)
        if (keys.has(key)) return 'known'
        keys.add(key)
        return 'stored'
      },
      async incident(id) {
        await sleep(storeMs)
        return { value: incident(id), version: 1 }
      },
      incidents: async () => [],
    },
  })
  if (app.listens !== null) {
    const url = `http://127.0.0.1:${app.listens.port}/slack/events`
    stand.deliverTo({ commands: url, interactivity: url, events: url })
  }
  const approve: Pressable = { button: 'approve', label: 'Approve', tone: 'good', confirm: null, incident: 'i-1', hash: 'h' }
  const body = [{ kind: 'buttons', items: [approve] }] as const
  const posted = await app.chat.post({ channel, threadTs: null, slot: 's', edition: 1, text: 'orders', body, picture: null })
  const ts = posted.kind === 'done' ? posted.value.ts : ''
  const { took, failed } = await paced(requests, withinMs, async (i) => {
    const user = people[i % people.length]!
    const receipt =
      i % 2 === 0
        ? await stand.observer.type({ user, channel, line: '/headwater diagnose orders' })
        : await stand.observer.press({ user, in: { channel, ts }, on: 'headwater_approve' })
    return receipt?.kind === 'acknowledged'
  })
  title(`Slack, ${mode}: ${requests.toLocaleString('en-US')} commands and presses in ${withinMs / 1000} s`)
  console.log(`  stored ${keys.size}, not acknowledged ${failed}`)
  console.log(`  acknowledged after ${quantiles(took)}   goal p99 < 200 ms`)
  await app.close(1_000)
  await stand.close()
}

await run('socket')
await run('http')
