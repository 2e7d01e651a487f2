/** The two manifests: Slack would take them, and they ask for no more than the app uses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { demoApp } from '../../src/demo/slack/settings.ts'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import { eventsPath } from '../../src/slack/http-receiver.ts'
import { audience, channel, openApp } from '../build/slack-app.ts'
import { incident } from '../build/stored-values.ts'
import { PNG } from '../demo/slack/open-stand-in.ts'

interface Manifest {
  readonly display_information: { readonly name: string; readonly description: string; readonly background_color: string }
  readonly features: {
    readonly bot_user: { readonly display_name: string }
    readonly slash_commands: readonly {
      readonly command: string
      readonly description: string
      readonly usage_hint: string
      readonly url?: string
    }[]
  }
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[]; readonly bot_optional: readonly string[] } }
  readonly settings: {
    readonly interactivity: { readonly is_enabled: boolean; readonly request_url?: string }
    readonly event_subscriptions: { readonly request_url?: string; readonly bot_events: readonly string[] }
    readonly socket_mode_enabled: boolean
  }
}

const manifest = (name: string): Manifest =>
  parse(readFileSync(join(import.meta.dirname, '../../manifests', `${name}.yaml`), 'utf8')) as Manifest
const [socket, http] = [manifest('slack-socket'), manifest('slack-http')]

/** Keys that Slack's schema (version 2) knows, of those parts that we use. */
const known: Readonly<Record<string, readonly string[]>> = {
  '': ['_metadata', 'display_information', 'features', 'oauth_config', 'settings'],
  _metadata: ['major_version', 'minor_version'],
  display_information: ['name', 'description', 'long_description', 'background_color'],
  features: ['bot_user', 'slash_commands', 'shortcuts', 'app_home', 'unfurl_domains'],
  'features.bot_user': ['display_name', 'always_online'],
  'features.slash_commands.0': ['command', 'description', 'url', 'usage_hint', 'should_escape'],
  oauth_config: ['scopes', 'redirect_urls', 'token_management_enabled', 'pkce_enabled'],
  'oauth_config.scopes': ['bot', 'user', 'bot_optional', 'user_optional'],
  settings: [
    'interactivity',
    'event_subscriptions',
    'socket_mode_enabled',
    'org_deploy_enabled',
    'token_rotation_enabled',
    'incoming_webhooks',
    'allowed_ip_address_ranges',
    'is_mcp_enabled',
  ],
  'settings.interactivity': ['is_enabled', 'request_url', 'message_menu_options_url'],
  'settings.event_subscriptions': ['request_url', 'bot_events', 'user_events', 'metadata_subscriptions'],
}

function unknownKeys(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value).filter((key) => !(known[path] ?? []).includes(key))
  const deeper = Object.entries(value).flatMap(([key, one]) => unknownKeys(one, path === '' ? key : `${path}.${key}`))
  return [...own.map((key) => `${path}.${key}`), ...deeper]
}

describe.each([
  ['slack-socket', socket],
  ['slack-http', http],
])('%s', (_, one) => {
  test('says nothing that Slack’s schema does not know, within its limits', () => {
    expect(unknownKeys(one)).toEqual([])
    const { display_information: shown, features } = one
    expect([shown.name.length <= 35, shown.description.length <= 140, /^#[0-9a-f]{6}$/.test(shown.background_color)]).toEqual([
      true,
      true,
      true,
    ])
    expect(features.bot_user.display_name.length).toBeLessThanOrEqual(80)
    for (const { command, description, usage_hint: hint } of features.slash_commands) {
      expect([/^\/\S{1,31}$/.test(command), description.length <= 2_000, hint.length <= 1_000]).toEqual([true, true, true])
    }
    expect(one.settings.interactivity.is_enabled).toBe(true)
  })
})

test('they differ in how Slack reaches the app, and in nothing else', () => {
  const without = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, one: unknown) => (['url', 'request_url', 'socket_mode_enabled'].includes(key) ? undefined : one)),
    )
  expect(without(http)).toEqual(without(socket))
  const urls = (one: Manifest) => [
    one.features.slash_commands[0]!.url,
    one.settings.interactivity.request_url,
    one.settings.event_subscriptions.request_url,
  ]
  expect(urls(socket)).toEqual([undefined, undefined, undefined])
  expect(urls(http)).toEqual(Array(3).fill(`https://headwater.example.com${eventsPath}`))
  expect([socket.settings.socket_mode_enabled, http.settings.socket_mode_enabled]).toEqual([true, false])
})

const settled = async (holds: () => boolean): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: 1_500, interval: 10 }).then(
    () => true,
    () => false,
  )

/** Everything that the app does with Slack, once. @returns what Slack refused for want of a scope, and which events came */
async function everything(scopes: readonly string[], events: readonly string[]): Promise<{ lacks: readonly string[]; heard: boolean }> {
  const channels = [channel, 'C0DATA', 'G0PRIVATE']
  const before = await openApp({ audiences: [audience('orders', { channels })], stand: { app: { ...demoApp, scopes, events } } })
  const { stand, app } = before
  const { observer } = stand
  before.store.open.push(incident('i-1'))
  await observer.type({ user: 'U0AMARA', channel, line: '/headwater diagnose orders' })
  await observer.type({ user: 'U0AMARA', channel: 'C0DATA', line: '/headwater diagnose orders' })
  observer.invite('G0PRIVATE', demoApp.botUserId)
  await observer.type({ user: 'U0BEN', channel: 'G0PRIVATE', line: '/headwater diagnose orders' })
  observer.say({ user: 'U0AMARA', channel, text: '@headwater status' })
  for (const where of [channel, 'G0PRIVATE']) {
    const upload = await app.chat.upload(PNG, 'chart')
    if (upload.kind === 'done') await app.chat.ready(upload.value.file)
    const posting = { channel: where, threadTs: null, slot: 's', edition: 1, text: 'orders', body: [], picture: null }
    const posted = await app.chat.post(posting)
    await app.chat.find({ channel: where, threadTs: null, slot: 's', sinceMs: Date.now() })
    if (posted.kind === 'done') await app.chat.remove(where, posted.value.ts)
  }
  const kinds = () => before.inputs().map((one) => one.kind)
  const heard = await settled(() => kinds().includes('admitted') && observer.calls('chat.postEphemeral').length > 0)
  return { lacks: lacking(stand), heard }
}

const lacking = (stand: StandIn): readonly string[] => [
  ...new Set(
    stand.observer
      .calls()
      .filter((call) => call.error === 'missing_scope')
      .map((call) => call.method),
  ),
]

describe('least', () => {
  const { bot, bot_optional: optional } = socket.oauth_config.scopes
  const { bot_events: events } = socket.settings.event_subscriptions
  /** Asked for by what Slack brings, not by a method: the slash command and the mention. */
  const brought = ['commands', 'app_mentions:read']

  test('with these scopes and events everything works', async () => {
    expect(await everything([...bot, ...optional], events)).toEqual({ lacks: [], heard: true })
  })

  test.each([...bot, ...optional].filter((scope) => !brought.includes(scope)))('without %s something does not', async (scope) => {
    const { lacks } = await everything(
      [...bot, ...optional].filter((one) => one !== scope),
      events,
    )
    expect(lacks).not.toEqual([])
  })

  test.each(events.filter((event) => event !== 'subteam_members_changed'))('without the event %s something is not heard', async (event) => {
    expect(
      (
        await everything(
          [...bot, ...optional],
          events.filter((one) => one !== event),
        )
      ).heard,
    ).toBe(false)
  })

  test('the app misses at the start what the manifest gives, and says so', async () => {
    const before = await openApp({ stand: { app: { ...demoApp, scopes: bot.filter((one) => one !== 'files:write') } } })
    expect(
      before.log.filter((line) => line.includes('lacks permissions')).map((line) => (JSON.parse(line) as { scopes: unknown }).scopes),
    ).toEqual([['files:write']])
    const whole = await openApp({ stand: { app: { ...demoApp, scopes: bot } } })
    expect(whole.log.join('')).not.toContain('lacks permissions')
  })
})
