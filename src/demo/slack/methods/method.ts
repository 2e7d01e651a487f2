/** What a Web API method is here. One file holds a family; index.ts lists them all. */
import type { Backstage } from '../backstage.ts'
import type { Fields } from '../json.ts'
import type { Channel } from '../workspace/channels.ts'
import { visibleTo } from '../workspace/channels.ts'

export type Answer = Fields & { readonly ok: boolean }

/** How an argument is read: form bodies carry everything as text, nested values as JSON. */
export type Kind = 'text' | 'number' | 'flag' | 'json'

/** Slack's tiers (calls per minute) and its two special rules. */
export type Pace = 1 | 2 | 3 | 4 | 'post' | 'special'

export interface Method {
  readonly name: string
  readonly pace: Pace
  readonly token: 'bot' | 'app' | 'none'
  /** Needed whatever the arguments are; those that depend on the kind of channel are asked for in `run`. */
  readonly scopes: readonly string[]
  readonly required: Readonly<Record<string, Kind>>
  readonly optional: Readonly<Record<string, Kind>>
  /** `args` holds what was sent and could be read; an argument that is not there is undefined. */
  readonly run: (args: Fields, stage: Backstage) => Answer | Promise<Answer>
}

export function done(fields: Fields = {}): Answer {
  return { ok: true, ...fields }
}

export function refuse(error: string, fields: Fields = {}): Answer {
  return { ok: false, error, ...fields }
}

/** Slack's way to say that an argument is wrong. */
export function invalidArguments(...messages: readonly string[]): Answer {
  return refuse('invalid_arguments', { response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) } })
}

/** @returns what Slack says to a token without one of the scopes; null = it has all of them */
export function lacksScope(stage: Backstage, ...scopes: readonly string[]): Answer | null {
  const provided = stage.settings.app.scopes
  const missing = scopes.filter((scope) => !provided.includes(scope))
  return missing.length === 0 ? null : refuse('missing_scope', { needed: missing.join(','), provided: provided.join(',') })
}

/** A channel that the app may know of; private channels that it is not in do not exist for it. */
export function knownChannel(stage: Backstage, id: unknown): Channel | null {
  const channel = stage.workspace.channels.get(typeof id === 'string' ? id : '')
  return channel !== undefined && visibleTo(channel, stage.settings.app.botUserId) ? channel : null
}

export function isMember(stage: Backstage, channel: Channel): boolean {
  return channel.members.has(stage.settings.app.botUserId)
}
