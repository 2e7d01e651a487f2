/** Slack calls us: signed requests over HTTP. They are answered when they have been dealt with, so that what was not stored comes again. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App, Receiver } from '@slack/bolt'
import { HTTPReceiver } from '@slack/bolt'
import type { Listen } from '../config/config.ts'
import { cannotListen } from '../errors.ts'
import type { Log } from '../log.ts'
import { libraryLog } from './library-log.ts'

export interface HttpOptions {
  readonly signingSecret: string
  readonly listen: Listen
  readonly log: Log
}

export interface HttpDoor extends Receiver {
  /** Where it listens; the port is the real one. null = it does not. */
  readonly listens: () => Listen | null
  /** Hangs up on whoever is still there. */
  readonly hangUp: () => void
}

/** The longest that Slack sends holds a whole message with its blocks. */
const mostBytes = 512 * 1024
const headersMs = 5_000
const requestMs = 10_000
const mostConnections = 500

/** Path of everything that Slack sends, as in the manifest. */
export const eventsPath = '/slack/events'

export function httpReceiver({ signingSecret, listen, log }: HttpOptions): HttpDoor {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: eventsPath,
    processBeforeResponse: true,
    bodyLimit: mostBytes,
    logger: libraryLog(log),
  })
  let server: Server | null = null

  async function start(): Promise<void> {
    try {
      const limits = { headersTimeout: headersMs, requestTimeout: requestMs }
      server = (await receiver.start({ host: listen.host, port: listen.port }, limits)) as Server
      server.maxConnections = mostConnections
    } catch (error) {
      throw cannotListen(listen, 'what Slack sends', 'change "listen:" below "slack:"', error)
    }
  }

  return {
    init: (app: App) => receiver.init(app),
    start,
    async stop() {
      server?.close()
      server?.closeIdleConnections()
    },
    listens: () => (server === null ? null : { host: listen.host, port: (server.address() as AddressInfo).port }),
    hangUp: () => server?.closeAllConnections(),
  }
}
