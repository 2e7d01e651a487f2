/** The configuration of the demo's service: the ordinary one, with secrets made up for this run. */
import { randomBytes } from 'node:crypto'
import { readConfig } from '../config/read-config.ts'
import type { ServiceSettings } from '../config/service.ts'
import type { StandIn } from '../demo/slack/stand-in.ts'
import type { Story } from '../demo/story.ts'
import { HeadwaterError } from '../errors.ts'

export const demoPipeline = 'orders'
export const demoChannel = 'C0INCIDENTS'
const owners = { groups: ['S0OWNERS'] }

export interface DemoSecrets {
  /** What Alertmanager has to show. */
  readonly bearer: string
  readonly ledgerKey: string
}

export function newSecrets(): DemoSecrets {
  return { bearer: randomBytes(16).toString('hex'), ledgerKey: randomBytes(32).toString('hex') }
}

/**
 * @param webhookPort 0 = any that is free
 * @param zone IANA zone of times of day in charts
 * @throws HeadwaterError config_mistaken when the pipeline of the story is not configured as it should be
 */
export function demoSettings(story: Story, stand: StandIn, secrets: DemoSecrets, webhookPort: number, zone: string): ServiceSettings {
  const { botToken, appToken } = stand.settings.app
  const file = {
    zone,
    slack: { team: stand.workspace.team.id, mode: 'socket', bot_token_env: 'BOT_TOKEN', app_token_env: 'APP_TOKEN' },
    webhooks: { listen: '127.0.0.1:8080', alertmanager: { bearer_env: 'BEARER' } },
    ledger: { key_env: 'LEDGER_KEY' },
    pipelines: { [demoPipeline]: { ...story.pipeline, channel: demoChannel, owners, alerts: matchersOf(story) } },
  }
  const env = { BOT_TOKEN: botToken, APP_TOKEN: appToken, BEARER: secrets.bearer, LEDGER_KEY: secrets.ledgerKey }
  // JSON is YAML.
  const { config, mistakes } = readConfig(JSON.stringify(file), { env, folder: '/' })
  const { slack, webhooks, ledger } = config
  if (mistakes.length > 0 || slack === null || webhooks === null || ledger === null) {
    throw new HeadwaterError(
      'config_mistaken',
      `the recorded pipeline: ${mistakes.map(({ path, what }) => `${path.join('.')} ${what}`).join('; ')}`,
    )
  }
  return { ...config, slack, ledger, redis: null, webhooks: { ...webhooks, listen: { host: '127.0.0.1', port: webhookPort } } }
}

/** Every alert of the story means the pipeline. */
function matchersOf({ alert }: Story): readonly { readonly matchers: readonly string[] }[] {
  const names = alert.alerts.map(({ labels }) => labels.alertname ?? '')
  return [...new Set(names)].map((name) => ({ matchers: [`alertname=${JSON.stringify(name)}`] }))
}
