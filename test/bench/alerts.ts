/**
 * How soon an alert is acknowledged: 10,000 deliveries within 30 s about 40 pipelines, each sent twice as by two Alertmanagers, before a
 * store that only counts. `node test/bench/alerts.ts [SECONDS]`; the server is in this process, as are the senders.
 */
import { Agent, request } from 'undici'
import type { secrets } from '../build/triggers-server.ts'
import { audience, proof, served } from '../build/triggers-server.ts'
import { bodyOf } from '../build/webhook.ts'
import { title } from './figures.ts'
import { paced, quantiles } from './paced.ts'

const deliveries = 10_000
const pipelines = Array.from({ length: 40 }, (_, i) => `pipeline-${i}`)
const withinMs = Number(process.argv[2] ?? 30) * 1_000

async function run(format: keyof typeof secrets): Promise<void> {
  const server = await served({ audiences: pipelines.map((name) => audience(name, [{ name: 'topic', op: '=~', value: `${name}|other` }])) })
  const agent = new Agent({ connections: 64 })
  const statuses = new Map<number, number>()
  const begin = performance.now()
  const { took } = await paced(deliveries, withinMs, async (i) => {
    const number = Math.floor(i / 2)
    const alert = { labels: { topic: pipelines[number % 40]! }, fingerprint: number.toString(16).padStart(16, '0') }
    const body = JSON.stringify(bodyOf[format]!([alert]))
    const headers = { 'content-type': 'application/json', ...proof(format, body, Date.now()) }
    const response = await request(`${server.url}/webhooks/${format}`, { method: 'POST', body, headers, dispatcher: agent })
    await response.body.dump()
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
    return response.statusCode < 300
  })
  const seconds = (performance.now() - begin) / 1_000
  title(`${format}: ${deliveries.toLocaleString('en-US')} deliveries in ${seconds.toFixed(1)} s`)
  console.log(
    `  answers ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}; inputs stored ${server.store.inputs.size}`,
  )
  console.log(`  acknowledged after ${quantiles(took)}   goal p99 < 200 ms`)
  await agent.close()
  await server.triggers.close(1_000)
}

await run('alertmanager')
await run('json')
