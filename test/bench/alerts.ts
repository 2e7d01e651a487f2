/**
 * How soon an alert is acknowledged: 10,000 deliveries within 30 s about 40 pipelines, each sent twice as by two Alertmanagers, before a
 * store that only counts. `node test/bench/alerts.ts [SECONDS]`; the server is in this process, as are the senders.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { secrets } from '../build/triggers-server.ts'
import { audience, proof, served } from '../build/triggers-server.ts'
import { bodyOf } from '../build/webhook.ts'
import { title } from './figures.ts'

const deliveries = 10_000
const pipelines = Array.from({ length: 40 }, (_, i) => `pipeline-${i}`)
const withinMs = Number(process.argv[2] ?? 30) * 1_000

/** Value below which this share of the sorted values lies. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

async function run(format: keyof typeof secrets): Promise<void> {
  const server = await served({ audiences: pipelines.map((name) => audience(name, [{ name: 'topic', op: '=~', value: `${name}|other` }])) })
  const agent = new Agent({ connections: 64 })
  const acks: number[] = []
  const statuses = new Map<number, number>()
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: deliveries }, async (_, i) => {
      await sleep((i / deliveries) * withinMs)
      const number = Math.floor(i / 2)
      const alert = { labels: { topic: pipelines[number % 40]! }, fingerprint: number.toString(16).padStart(16, '0') }
      const body = JSON.stringify(bodyOf[format]!([alert]))
      const headers = { 'content-type': 'application/json', ...proof(format, body, Date.now()) }
      const sent = performance.now()
      const response = await request(`${server.url}/webhooks/${format}`, { method: 'POST', body, headers, dispatcher: agent })
      await response.body.dump()
      acks.push(performance.now() - sent)
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
    }),
  )
  const seconds = (performance.now() - begin) / 1_000
  acks.sort((a, b) => a - b)
  title(`${format}: ${deliveries.toLocaleString('en-US')} deliveries in ${seconds.toFixed(1)} s`)
  console.log(
    `  answers ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}; inputs stored ${server.store.inputs.size}`,
  )
  const [p50, p99, most] = [quantile(acks, 0.5), quantile(acks, 0.99), acks.at(-1) ?? Number.NaN]
  console.log(`  acknowledged after p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${most.toFixed(1)} ms   goal p99 < 200 ms`)
  await agent.close()
  await server.triggers.close(1_000)
}

await run('alertmanager')
await run('json')
