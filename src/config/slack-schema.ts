/** The connection to Slack in the configuration file, and where alerts of nobody are told. */
import { z } from 'zod'
import { channelOrNowhere, listen, slackId, variable } from './plain-schema.ts'

/** How Slack reaches this program: it opens a connection itself, or Slack calls it. */
const modes = ['socket', 'http'] as const

export const slackSchema = z
  .strictObject(
    {
      team: slackId('your workspace', 'TE', 'T0123ABCD'),
      mode: z.enum(modes, `write one of ${modes.join(', ')}`).optional(),
      bot_token_env: variable('the bot token (xoxb-…)', 'SLACK_BOT_TOKEN'),
      app_token_env: variable('the app-level token (xapp-…)', 'SLACK_APP_TOKEN').optional(),
      signing_secret_env: variable('the signing secret', 'SLACK_SIGNING_SECRET').optional(),
      listen: listen('0.0.0.0:3000').optional(),
    },
    'write team, bot_token_env and app_token_env below it',
  )
  .superRefine((slack, context) => {
    const needed = slack.mode === 'http' ? (['signing_secret_env', 'listen'] as const) : (['app_token_env'] as const)
    const unused = slack.mode === 'http' ? (['app_token_env'] as const) : (['signing_secret_env', 'listen'] as const)
    const mode = slack.mode ?? 'socket'
    for (const key of needed) {
      if (slack[key] === undefined)
        context.addIssue({ code: 'custom', path: [key], message: `mode ${mode} needs it, e.g. ${examples[key]}` })
    }
    for (const key of unused) {
      if (slack[key] !== undefined)
        context.addIssue({ code: 'custom', path: [key], message: `mode ${mode} has no use for it; leave it out` })
    }
  })

const examples = { app_token_env: 'SLACK_APP_TOKEN', signing_secret_env: 'SLACK_SIGNING_SECRET', listen: '0.0.0.0:3000' } as const

export const alertsSchema = z.strictObject({ unmapped_channel: channelOrNowhere }, 'write unmapped_channel: C0123ABCD below it, or none')
