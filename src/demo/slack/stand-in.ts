/**
 * A local stand-in of a Slack workspace with one app installed: Web API, Socket Mode, signed HTTP delivery, and a web page to look
 * at it. It answers as Slack is documented and reported to (and where neither says, as strictly as is plausible); it is not Slack,
 * and shares no code with the adapter that it is there to try.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { callLog } from './api/call-log.ts'
import { fileHost } from './api/file-host.ts'
import type { Wire } from './api/spoil.ts'
import { webApi } from './api/web-api.ts'
import type { Backstage } from './backstage.ts'
import { seededChance } from './chance.ts'
import type { Clock } from './clock.ts'
import { machineClock } from './clock.ts'
import { httpCourier } from './deliver/http-courier.ts'
import { eventPayload } from './deliver/payloads.ts'
import { postOffice } from './deliver/post-office.ts'
import type { SocketCourier } from './deliver/socket-courier.ts'
import { socketCourier } from './deliver/socket-courier.ts'
import type { FaultScript } from './faults/script.ts'
import { faultScript } from './faults/script.ts'
import { responseUrls } from './interact/respond.ts'
import type { Fields } from './json.ts'
import { textOf } from './json.ts'
import { news } from './news.ts'
import type { Observer } from './observer.ts'
import { observer } from './observer.ts'
import type { DemoBar } from './page/demo-bar.ts'
import { demoBar } from './page/demo-bar.ts'
import { pageRoutes } from './page/routes.ts'
import type { HttpDoor, Settings } from './settings.ts'
import { defaultSettings } from './settings.ts'
import { seededWorkspace } from './workspace/seed.ts'
import type { Workspace } from './workspace/workspace.ts'
import { clearWorkspace } from './workspace/workspace.ts'

export interface StandIn {
  /** Of the page, e.g. "http://127.0.0.1:4100". */
  readonly url: string
  /** For `clientOptions.slackApiUrl`. */
  readonly apiUrl: string
  readonly settings: Settings
  readonly workspace: Workspace
  readonly observer: Observer
  readonly faults: FaultScript
  readonly socket: Pick<SocketCourier, 'connections' | 'disconnect' | 'drop'>
  /** Buttons and a line of text above the channel. */
  readonly demoBar: DemoBar
  /** Everything that was said and shown is gone; people and channels stay. */
  readonly clear: () => void
  /** From now on the app is reached over signed HTTP instead of Socket Mode. */
  readonly deliverTo: (door: HttpDoor) => void
  readonly close: () => Promise<void>
}

export interface Options extends Partial<Settings> {
  readonly clock?: Clock
  /** What messages are dated with, ms since 1970; absent = as the clock. */
  readonly today?: () => number
  /** Demo seconds in one of the machine's; absent = 1. The page shows the time and says so. */
  readonly pace?: () => number
}

export async function startStandIn({
  clock = machineClock(),
  today = clock.now,
  pace = () => 1,
  ...given
}: Options = {}): Promise<StandIn> {
  const settings = { ...defaultSettings, ...given }
  const chance = seededChance(settings.seed)
  const faults = faultScript(seededChance(settings.seed + 1))
  const where = { base: '' }
  const base = (): string => where.base
  const socket = socketCourier({ appId: settings.app.id, base, clock, chance, faults })
  const office = postOffice({ clock, faults }, socket)
  const fire = (event: Fields): void => {
    void office.sendEvent({ kind: 'events_api', payload: eventPayload(stage, event), answerable: false, retry: null })
  }
  const stage: Backstage = {
    settings,
    clock,
    today,
    chance,
    faults,
    workspace: seededWorkspace(settings.app),
    news: news(),
    calls: callLog(),
    base,
    emit: (event) => {
      if (settings.app.events.includes(subscription(event))) fire(event)
    },
    socketAddress: socket.address,
  }
  const bar = demoBar(stage.news, { today, pace })
  const routes = new Hono<Wire>()
  for (const part of [webApi(stage), fileHost(stage), responseUrls(stage), pageRoutes(stage, office, bar)]) routes.route('/', part)
  const server = await listening(routes, settings.port)
  server.on('upgrade', socket.upgrade)
  where.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: where.base,
    apiUrl: `${where.base}/api/`,
    settings,
    workspace: stage.workspace,
    observer: observer(stage, office, fire),
    faults,
    socket,
    demoBar: bar,
    clear() {
      clearWorkspace(stage.workspace)
      stage.news.tell()
    },
    deliverTo: (door) => office.useCourier(httpCourier(door, settings.app.signingSecret, clock)),
    async close() {
      clock.stop()
      socket.close()
      await new Promise((closed) => {
        server.close(closed)
        server.closeAllConnections()
      })
    },
  }
}

/** "message" is subscribed to by kind of channel: message.channels, message.groups, message.im. */
function subscription(event: Fields): string {
  if (event.type !== 'message') return textOf(event.type)
  const kinds: Readonly<Record<string, string>> = { channel: 'channels', group: 'groups', im: 'im' }
  return `message.${kinds[textOf(event.channel_type)]}`
}

async function listening(routes: Hono<Wire>, port: number): Promise<Server> {
  return await new Promise((resolve, reject) => {
    const server = serve({ fetch: routes.fetch, hostname: '127.0.0.1', port }, () => resolve(server)) as Server
    server.on('error', reject)
  })
}
