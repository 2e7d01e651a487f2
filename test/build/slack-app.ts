/** Our app before the stand-in of Slack, over one of its two ways, with a store that counts. */
import { onTestFinished } from 'vitest'
import type { SlackAccess } from '../../src/config/config.ts'
import { demoApp } from '../../src/demo/slack/settings.ts'
import type { Options, StandIn } from '../../src/demo/slack/stand-in.ts'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import type { Audience } from '../../src/incident/audience.ts'
import type { Incident } from '../../src/incident/incident.ts'
import type { Input } from '../../src/incident/input.ts'
import { createLog } from '../../src/log.ts'
import type { SlackApp, SlackOptions } from '../../src/slack/app.ts'
import { serveSlack } from '../../src/slack/app.ts'
import type { CountingStore } from '../fakes/counting-store.ts'
import { countingStore } from '../fakes/counting-store.ts'

export const team = 'T0STANDIN'
export const channel = 'C0INCIDENTS'

export function audience(pipeline: string, more: Partial<Audience> = {}): Audience {
  const owners = { users: [], groups: ['S0OWNERS'] }
  return { pipeline, channel, channels: [channel], owners, approvals: 1, requesterCounts: true, alerts: [], ...more }
}

export type Mode = 'socket' | 'http'
export const modes: readonly Mode[] = ['socket', 'http']

export function access(mode: Mode, more: Partial<SlackAccess> = {}): SlackAccess {
  const connection =
    mode === 'socket'
      ? ({ mode, appToken: demoApp.appToken } as const)
      : ({ mode, signingSecret: demoApp.signingSecret, listen: { host: '127.0.0.1', port: 0 } } as const)
  return { team, botToken: demoApp.botToken, connection, ...more }
}

export interface Before {
  readonly stand: StandIn
  readonly app: SlackApp
  readonly store: CountingStore & { readonly open: Incident[] }
  readonly log: readonly string[]
  /** Where Slack's requests go in mode http. */
  readonly url: string
  readonly inputs: () => readonly Input[]
  /** Texts that only this person was shown. */
  readonly told: (user: string) => readonly string[]
}

export interface BeforeOptions {
  readonly mode?: Mode
  readonly stand?: Options
  readonly app?: Partial<SlackOptions>
  readonly audiences?: readonly Audience[]
}

export async function openStand(options: Options = {}): Promise<StandIn> {
  const app = { ...demoApp, events: ['app_mention', 'member_joined_channel', 'subteam_members_changed'] }
  const stand = await startStandIn({ rateLimits: false, app, ...options })
  onTestFinished(() => stand.close())
  return stand
}

/** Started, and Slack's side told where it listens. */
export async function openApp(options: BeforeOptions = {}): Promise<Before> {
  const stand = await openStand(options.stand)
  const log: string[] = []
  const counting = countingStore()
  const open: Incident[] = []
  const store = Object.assign(counting, { open })
  const app = await serveSlack({
    access: access(options.mode ?? 'socket'),
    audiences: options.audiences ?? [audience('orders'), audience('payments', { channel: null, channels: ['C0DATA'] })],
    unmappedChannel: null,
    zone: 'UTC',
    log: createLog({ write: (line) => log.push(line), secrets: [demoApp.botToken, demoApp.appToken, demoApp.signingSecret] }),
    nowMs: Date.now,
    apiUrl: stand.apiUrl,
    socket: { helloMs: 1_000, pingMs: 300, drainMs: 100, pauseMs: [20, 1_000] },
    store: {
      put: (input) => counting.put(input),
      incident: async (id) => {
        if (counting.mode === 'refuses') throw new Error('no store')
        const value = open.find((one) => one.id === id)
        return value === undefined ? null : { value, version: 1 }
      },
      incidents: async ({ most }) => open.slice(0, most),
    },
    ...options.app,
  })
  onTestFinished(() => app.close(500))
  const url = app.listens === null ? '' : `http://127.0.0.1:${app.listens.port}/slack/events`
  if (url !== '') stand.deliverTo({ commands: url, interactivity: url, events: url })
  return {
    stand,
    app,
    store,
    log,
    url,
    inputs: () => [...counting.inputs.values()].map(({ input }) => input),
    told: (user) => stand.observer.shownOnlyTo(user).map((one) => one.now.text),
  }
}
