/** The app as Slack sees it: takes in what people ask and press, and is their way to the workflow. */
import { App } from '@slack/bolt'
import type { Listen } from '../config/config.ts'
import { HeadwaterError } from '../errors.ts'
import type { Audience } from '../incident/audience.ts'
import { noPipeline } from '../incident/unmapped.ts'
import { within } from '../within.ts'
import type { Chat, Store } from '../workflow/incident-ports.ts'
import { onActions } from './actions.ts'
import { createChannels } from './channels.ts'
import { onCommands } from './commands.ts'
import type { Connected, ConnectOptions } from './connect.ts'
import { connectSlack } from './connect.ts'
import { onEvents } from './events.ts'
import { createGroups } from './groups.ts'
import { httpReceiver } from './http-receiver.ts'
import { createInFlight } from './in-flight.ts'
import { createKeep } from './keep.ts'
import { libraryLog } from './library-log.ts'
import { failureOf } from './outcome.ts'
import { createPeople } from './people.ts'
import type { SocketLimits } from './socket-receiver.ts'
import { socketReceiver } from './socket-receiver.ts'
import { onViews } from './views.ts'
import { clientOptions } from './web-client.ts'

export interface SlackOptions extends ConnectOptions {
  readonly audiences: readonly Audience[]
  /** Channel in which alerts of no pipeline are told; null = in none. */
  readonly unmappedChannel: string | null
  /** IANA zone where a person's own is not known. */
  readonly zone: string
  readonly store: Pick<Store, 'put' | 'incident' | 'incidents'>
  readonly socket?: Partial<SocketLimits>
}

export interface SlackApp {
  readonly chat: Chat
  /** Where it listens; null = it has opened the connection itself. */
  readonly listens: Listen | null
  /** For /readyz: null when all is well, else in a few fixed words what is not. */
  readonly check: () => Promise<string | null>
  /** Takes nothing new, ends what is under way within `graceMs`, then hangs up. */
  readonly close: (graceMs: number) => Promise<void>
}

/** A connection that comes back sooner was never missed. */
const shortGapMs = 15_000
const firstWordMs = 8_000

/** @throws HeadwaterError slack_refused when a token is wrong, address_taken when it cannot listen. Slack being away is no error: it goes on trying. */
export async function serveSlack(options: SlackOptions): Promise<SlackApp> {
  const { access, audiences, log, nowMs, store, apiUrl } = options
  const connected = connectSlack(options)
  const { web, ourselves, chat } = connected
  await introduce(connected, options)
  const inFlight = createInFlight(log)
  const { connection } = access
  const socket =
    connection.mode === 'socket' ? socketReceiver({ ...connection, apiUrl, log, inFlight, nowMs, limits: options.socket ?? {} }) : null
  const http = connection.mode === 'http' ? httpReceiver({ ...connection, log }) : null
  const app = new App({
    receiver: (socket ?? http)!,
    // No call to Slack for each event: a token is all that is needed.
    authorize: async () => ({ botToken: access.botToken, ...ids(ourselves.known()) }),
    convoStore: false,
    deferInitialization: true,
    logger: libraryLog(log),
    clientOptions: clientOptions({ apiUrl, log }),
  })
  await app.init()
  const groups = createGroups({ web, all: [...new Set(audiences.flatMap((one) => one.owners.groups))], nowMs, log })
  const channels = createChannels(web, nowMs)
  const people = createPeople({ web, team: access.team, nowMs, log })
  const keep = createKeep(store.put, log)
  const notStored = (): HeadwaterError => new HeadwaterError('store_unavailable', 'what Slack brought could not be stored')
  const ports = { ...options, ...connected, people, keep, groups, channels, inFlight, notStored }
  app.use(async ({ next }) => await inFlight.during(next))
  onCommands(app, { ...ports, incidents: store.incidents })
  onActions(app, { ...ports, incident: store.incident })
  onViews(app, { ...ports, incident: store.incident })
  onEvents(app, ports)
  app.error(async (error) => {
    // What was not stored is said where it happened.
    if (!(error.original instanceof HeadwaterError) && !((error as unknown) instanceof HeadwaterError)) {
      log.error('what Slack brought could not be dealt with', { err: error })
    }
    throw error
  })
  await app.start()
  inFlight.later(groups.read)
  inFlight.later(() => enterAll(channels, options))
  return {
    chat,
    listens: http?.listens() ?? null,
    async check() {
      const downSinceMs = socket?.downSinceMs() ?? null
      if (downSinceMs !== null && nowMs() - downSinceMs > shortGapMs) return 'is not connected'
      return ourselves.known() === null && (await ourselves.ask().catch(() => null)) === null ? 'does not answer' : null
    },
    async close(graceMs) {
      const begunMs = performance.now()
      // What was brought through a connection is answered through it: that one stays until nothing is under way.
      if (socket === null) await app.stop()
      const left = await inFlight.idle(graceMs)
      if (socket !== null) await app.stop()
      const still = await inFlight.idle(Math.max(0, graceMs - (performance.now() - begunMs)))
      if (left + still > 0) log.warn('stopped in the middle of what Slack had asked for', { left: still })
      http?.hangUp()
    },
  }
}

const ids = (known: { botId: string; botUserId: string } | null) =>
  known === null ? {} : { botId: known.botId, botUserId: known.botUserId }

/** Asks once who we are, so that a wrong token is known before anybody needs us. */
async function introduce({ ourselves }: Connected, { access, log }: SlackOptions): Promise<void> {
  try {
    const { team, enterprise } = await within(ourselves.ask, firstWordMs)
    if (![team, enterprise].includes(access.team)) {
      throw new HeadwaterError('slack_refused', `the bot token belongs to workspace ${team}, but the configuration says ${access.team}`)
    }
  } catch (error) {
    if (error instanceof HeadwaterError) throw error
    const failure = failureOf(error)
    const code = failure.kind === 'refused' ? failure.code : failure.why
    if (hopeless.has(code))
      throw new HeadwaterError('slack_refused', `Slack refuses the bot token (${code}): install the app again and take its new token`)
    log.warn('Slack does not say who we are', { why: code })
  }
}

const hopeless = new Set(['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'not_allowed_token_type'])

/** Alerts come without anybody who could be told to invite us: what is missing is said at the start. */
async function enterAll(channels: ReturnType<typeof createChannels>, { audiences, unmappedChannel, log }: SlackOptions): Promise<void> {
  const told = [...audiences, { pipeline: noPipeline, channel: unmappedChannel }]
  for (const { pipeline, channel } of told) {
    if (channel !== null && (await channels.enter(channel)) === 'out') {
      log.warn('the app is not in the channel of a pipeline and cannot join it; invite it there', { pipeline, channel })
    }
  }
}
