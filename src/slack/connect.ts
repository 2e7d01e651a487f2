/** Everything that speaks to Slack, put together; who only sends needs nothing else. */
import type { WebClient } from '@slack/web-api'
import type { SlackAccess } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Chat } from '../workflow/incident-ports.ts'
import { createChat } from './chat.ts'
import { holdingBack } from './hold-back.ts'
import type { Ourselves } from './identity.ts'
import { createIdentity } from './identity.ts'
import type { TellAlone } from './tell-alone.ts'
import { createTellAlone } from './tell-alone.ts'
import { webClient } from './web-client.ts'

export interface ConnectOptions {
  readonly access: SlackAccess
  readonly log: Log
  readonly nowMs: () => number
  /** Address of the Web API; absent = Slack's own. */
  readonly apiUrl?: string
  /** Less than the sender waits for the outcome of a call. */
  readonly timeoutMs?: number
}

export interface Connected {
  readonly chat: Chat
  readonly web: WebClient
  readonly ourselves: Ourselves
  readonly tellAlone: TellAlone
}

const usualTimeoutMs = 8_000

/** Calls nobody yet. */
export function connectSlack({ access, log, nowMs, apiUrl, timeoutMs = usualTimeoutMs }: ConnectOptions): Connected {
  const web = webClient({ botToken: access.botToken, log, apiUrl, timeoutMs })
  const ourselves = createIdentity(web, log)
  const tellAlone = createTellAlone({ web, apiUrl, nowMs, timeoutMs })
  const chat = createChat({ web, ourselves, tellAlone, log, apiUrl, timeoutMs })
  return { web, ourselves, tellAlone, chat: holdingBack(chat, nowMs) }
}
