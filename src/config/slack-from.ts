/** The connection to Slack, with its secrets. */
import type { z } from 'zod'
import type { SlackAccess } from './config.ts'
import type { Problem } from './pipeline-from.ts'
import type { slackSchema } from './slack-schema.ts'
import type { Environment } from './take-secret.ts'
import { takeSecret } from './take-secret.ts'

export function slackFrom(
  own: z.output<typeof slackSchema>,
  env: Environment,
): { slack: SlackAccess | null; problems: readonly Problem[] } {
  const problems: Problem[] = []
  const secret = (key: 'bot_token_env' | 'app_token_env' | 'signing_secret_env'): string => takeSecret(own[key]!, [key], env, problems)
  const botToken = secret('bot_token_env')
  const connection =
    own.mode === 'http'
      ? ({ mode: 'http', signingSecret: secret('signing_secret_env'), listen: own.listen! } as const)
      : ({ mode: 'socket', appToken: secret('app_token_env') } as const)
  return { slack: problems.length > 0 ? null : { team: own.team, botToken, connection }, problems }
}
