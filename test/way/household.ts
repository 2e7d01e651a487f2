/**
 * Everything around the product in a run of the way: a Redis of its own, the stand-in of Slack, and the product itself as `serve` runs
 * it, before the rig's running pipeline. Only the address of Slack's Web API is not what an operator would have.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { secretsOf, serviceSettings } from '../../src/config/service.ts'
import { demoApp } from '../../src/demo/slack/settings.ts'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { createLog } from '../../src/log.ts'
import type { Served } from '../../src/serve.ts'
import { serve } from '../../src/serve.ts'
import { sources } from '../../src/sources/index.ts'
import type { Rig } from '../rig/layout.ts'
import { startRedis } from '../rig/redis.ts'
import type { Session } from '../rig/session.ts'
import { CHANNEL } from './channel.ts'
import type { LookRecorder } from './record-looks.ts'
import { recordLooks } from './record-looks.ts'

export interface Household {
  readonly stand: StandIn
  readonly pipeline: Pipeline
  readonly recorder: LookRecorder
  /** What stands below the pipeline's name in the configuration, without people, channels and alerts. */
  readonly described: Readonly<Record<string, unknown>>
  /** Sends the body to the webhook. @returns status and how long the answer took, ms */
  readonly alert: (body: unknown) => Promise<{ readonly status: number; readonly ms: number }>
  readonly close: () => Promise<void>
}

/** Made up for one run. */
const secrets = {
  SLACK_BOT_TOKEN: demoApp.botToken,
  SLACK_APP_TOKEN: demoApp.appToken,
  ALERTMANAGER_TOKEN: 'a-token-for-one-run',
  HEADWATER_LEDGER_KEY: 'c0ffee'.repeat(11),
}

const NAME = 'orders'
const GRACE_MS = 10_000

function described(rig: Rig, { topic, query, checkpoint, table }: Session): Record<string, unknown> {
  const spark = `http://127.0.0.1:${rig.ports.driverUi}`
  return { topic, brokers: rig.brokers, spark, query, checkpoint, table, objective: { freshness: '60s' } }
}

/** JSON is YAML. */
function configText(pipeline: Record<string, unknown>, redis: string): string {
  const around = {
    channel: CHANNEL,
    channels: [CHANNEL],
    owners: { groups: ['S0OWNERS'] },
    alerts: [{ matchers: [`pipeline="${NAME}"`] }],
  }
  const config = {
    zone: 'UTC',
    slack: { team: 'T0STANDIN', mode: 'socket', bot_token_env: 'SLACK_BOT_TOKEN', app_token_env: 'SLACK_APP_TOKEN' },
    webhooks: { listen: '127.0.0.1:0', alertmanager: { bearer_env: 'ALERTMANAGER_TOKEN' } },
    redis: { url: redis },
    ledger: { key_env: 'HEADWATER_LEDGER_KEY' },
    pipelines: { [NAME]: { ...pipeline, ...around } },
  }
  return `${JSON.stringify(config, null, 1)}\n`
}

export async function openHousehold(rig: Rig, session: Session): Promise<Household> {
  const folder = join(rig.dir, 'sessions', `${session.number}`)
  const pipeline = described(rig, session)
  const closing: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const redis = await startRedis({ appendonly: 'yes', 'maxmemory-policy': 'noeviction' })
    closing.push(redis.stop)
    const stand = await startStandIn({ app: { ...demoApp, events: [...demoApp.events, 'subteam_members_changed'] } })
    closing.push(stand.close)
    const file = join(folder, 'serve.yaml')
    writeFileSync(file, configText(pipeline, redis.url))
    const reading = readConfig(readFileSync(file, 'utf8'), { env: secrets, folder })
    const settings = serviceSettings(reading)
    if (settings === null) throw new Error(`the configuration is mistaken: ${JSON.stringify(reading.mistakes)}`)
    const recorder = recordLooks(sources, systemClock)
    const lines = join(rig.dir, 'logs', `headwater-${session.number}.log`)
    const log = createLog({ write: (line) => writeFileSync(lines, line, { flag: 'a' }), secrets: secretsOf(settings) })
    const served = await serve({ settings, role: 'all', log, slackApiUrl: stand.apiUrl, sources: recorder.sources })
    closing.push(() => served.close(GRACE_MS))
    return { stand, pipeline: settings.pipelines[0]!, recorder, described: pipeline, alert: alertTo(served), close }
  } catch (error) {
    await close()
    throw error
  }
}

function alertTo({ webhooks }: Served): Household['alert'] {
  if (webhooks === null) throw new Error('the product listens for no alerts')
  const url = `http://127.0.0.1:${webhooks.port}/webhooks/alertmanager`
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secrets.ALERTMANAGER_TOKEN}` }
  return async (body) => {
    const begunMs = performance.now()
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await response.arrayBuffer()
    return { status: response.status, ms: performance.now() - begunMs }
  }
}
