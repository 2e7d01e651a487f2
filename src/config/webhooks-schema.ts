/** The doors for alerts in the configuration file: one for each webhook format, with what a sender has to show there. */
import { z } from 'zod'
import { listen, name, variable } from './plain-schema.ts'

/** For senders that sign nothing: something that only they know, in the Authorization header. */
const sharedSecret = z
  .strictObject(
    {
      bearer_env: variable('the token', 'ALERTMANAGER_TOKEN').optional(),
      basic: z
        .strictObject(
          { username: name('the user name', 'alertmanager'), password_env: variable('the password', 'ALERTMANAGER_PASSWORD') },
          'write username and password_env below it',
        )
        .optional(),
    },
    'write bearer_env: ALERTMANAGER_TOKEN, or basic: with username and password_env below it',
  )
  .refine((one) => (one.bearer_env === undefined) !== (one.basic === undefined), 'write either bearer_env or basic, one of the two')

/** For senders that sign each body with a time. */
const signature = (example: string) =>
  z.strictObject({ secret_env: variable('the secret that signs', example) }, `write secret_env: ${example} below it`)

export const webhooksSchema = z.strictObject(
  {
    listen: listen('0.0.0.0:8080'),
    operations: listen('127.0.0.1:9464').optional(),
    alertmanager: sharedSecret.optional(),
    grafana: signature('GRAFANA_SECRET').optional(),
    json: signature('WEBHOOK_SECRET').optional(),
  },
  'write listen: 0.0.0.0:8080 below it, and a door for each sender',
)
