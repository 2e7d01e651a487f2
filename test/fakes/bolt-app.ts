/** An app made with Slack's own packages, small enough to see what it should do: for trying the stand-in, never the product. */
import { App, LogLevel, SocketModeReceiver } from '@slack/bolt'
import { onTestFinished } from 'vitest'
import { demoApp } from '../../src/demo/slack/settings.ts'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'

export const silent = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} }

export const clientOptions = (stand: StandIn) => ({ slackApiUrl: stand.apiUrl, retryConfig: { retries: 0 } })

/** An app with one of everything: command, button, modal, mention. */
export function furnish(app: App): { readonly heard: string[] } {
  const heard: string[] = []
  const text = (words: string) => ({ type: 'plain_text', text: words }) as const
  app.command('/headwater', async ({ ack, command, client: web, respond }) => {
    await ack()
    heard.push(`command ${command.text}`)
    await respond({ text: 'looking', response_type: 'ephemeral' })
    const confirm = {
      title: text('Decline?'),
      text: { type: 'mrkdwn', text: '*Nothing* is changed.' },
      confirm: text('Decline'),
      deny: text('Back'),
    } as const
    const decline = { type: 'button', action_id: 'decline', text: text('Decline'), value: 'p1', confirm } as const
    await web.chat.postMessage({
      channel: command.channel_id,
      text: 'verdict',
      blocks: [{ type: 'actions', block_id: 'act', elements: [decline] }],
    })
  })
  app.action('decline', async ({ ack, body, client: web }) => {
    await ack()
    const {
      trigger_id: trigger,
      message,
      channel,
    } = body as unknown as { trigger_id: string; message: { ts: string }; channel: { id: string } }
    const element = { type: 'plain_text_input', action_id: 'reason' } as const
    const view = {
      type: 'modal',
      callback_id: 'why',
      private_metadata: JSON.stringify([channel.id, message.ts]),
      title: text('Why?'),
      submit: text('Send'),
    } as const
    await web.views.open({
      trigger_id: trigger,
      view: { ...view, blocks: [{ type: 'input', block_id: 'why', label: text('Reason'), element }] },
    })
  })
  app.view('why', async ({ ack, view, client: web }) => {
    const reason = view.state.values.why!.reason!.value!
    if (reason === 'no') return await ack({ response_action: 'errors', errors: { why: 'Say more' } })
    await ack()
    const [channel, ts] = JSON.parse(view.private_metadata) as [string, string]
    await web.chat.update({ channel, ts, text: `declined: ${reason}` })
  })
  app.event('app_mention', async ({ event, say }) => {
    heard.push(`mention ${event.text}`)
    await say({ text: 'here', thread_ts: event.ts })
  })
  return { heard }
}

/** In Socket Mode, with objects of its own for the options of each part (Bolt changes what it is given). */
export async function socketApp(stand: StandIn): Promise<{ readonly heard: string[]; readonly start: () => Promise<unknown> }> {
  const receiver = new SocketModeReceiver({
    appToken: demoApp.appToken,
    clientPingTimeout: 300,
    logger: silent,
    installerOptions: { clientOptions: clientOptions(stand) },
  })
  const app = new App({ token: demoApp.botToken, receiver, deferInitialization: true, logger: silent, clientOptions: clientOptions(stand) })
  await app.init()
  onTestFinished(async () => {
    await app.stop()
  })
  return { ...furnish(app), start: () => app.start() }
}
