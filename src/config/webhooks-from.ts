/** The doors for alerts, with what each sender has to show. */
import type { z } from 'zod'
import type { Credentials, WebhookDoors } from './config.ts'
import type { Problem } from './pipeline-from.ts'
import type { Environment } from './take-secret.ts'
import { leastSecretLength, takeSecret } from './take-secret.ts'
import type { webhooksSchema } from './webhooks-schema.ts'

type Door = NonNullable<z.output<typeof webhooksSchema>['alertmanager' | 'grafana']>

export function webhooksFrom(
  own: z.output<typeof webhooksSchema>,
  env: Environment,
): { webhooks: WebhookDoors | null; problems: readonly Problem[] } {
  const { listen, operations = null, ...doors } = own
  const problems: Problem[] = []
  const credentials: Record<string, Credentials> = {}
  for (const [format, door] of Object.entries(doors)) {
    if (door !== undefined) credentials[format] = credentialsOf(door, format, env, problems)
  }
  // Two ports that are any that is free are two.
  const beside = operations === null || (operations.host === listen.host && operations.port === listen.port && listen.port !== 0)
  return { webhooks: problems.length > 0 ? null : { listen, operations: beside ? null : operations, credentials }, problems }
}

function credentialsOf(door: Door, format: string, env: Environment, problems: Problem[]): Credentials {
  const secret = (variable: string, ...path: string[]): string => takeSecret(variable, [format, ...path], env, problems, leastSecretLength)
  if ('secret_env' in door) return { kind: 'signature', secret: secret(door.secret_env, 'secret_env') }
  if (door.basic === undefined) return { kind: 'bearer', token: secret(door.bearer_env!, 'bearer_env') }
  return { kind: 'basic', username: door.basic.username, password: secret(door.basic.password_env, 'basic', 'password_env') }
}
