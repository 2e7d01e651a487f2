/** The configuration as everything behind it sees it: frozen, complete, secrets filled in. */
import type { Audience } from '../incident/audience.ts'
import type { Pipeline } from '../incident/pipeline.ts'

export interface Config {
  /** IANA zone in which times of day are written. */
  readonly zone: string
  readonly pipelines: readonly Pipeline[]
  /** One for each pipeline, in the same order. */
  readonly audiences: readonly Audience[]
  /** null = not configured, or with a mistake in it. */
  readonly slack: SlackAccess | null
  /** null = not configured, or with a mistake in it. */
  readonly webhooks: WebhookDoors | null
  /** null = not configured, or with a mistake in it. */
  readonly redis: RedisAccess | null
  /** null = not configured, or with a mistake in it. */
  readonly ledger: LedgerAccess | null
  /** Slack channel in which an alert is told that no pipeline means; null = none: it is only counted and logged. */
  readonly unmappedChannel: string | null
}

export interface Listen {
  readonly host: string
  /** 0 = any that is free. */
  readonly port: number
}

export interface SlackAccess {
  /** The workspace (or organisation) whose people may ask and decide. */
  readonly team: string
  readonly botToken: string
  readonly connection:
    | { readonly mode: 'socket'; readonly appToken: string }
    | { readonly mode: 'http'; readonly signingSecret: string; readonly listen: Listen }
}

export interface RedisAccess {
  /** May hold a login: never shown, never logged. */
  readonly url: string
  /** Of every key. */
  readonly prefix: string
  /** What to do when this Redis throws keys away for want of memory, and when it keeps nothing on disk. */
  readonly evicts: 'warn' | 'refuse'
  readonly forgets: 'warn' | 'refuse'
}

export interface LedgerAccess {
  /** Chains the entries; kept outside Redis, so that whoever can write there cannot forge them. */
  readonly key: string
}

export interface WebhookDoors {
  readonly listen: Listen
  /** Where health and metrics are served; null = beside the webhooks. */
  readonly operations: Listen | null
  /** By format. A format that is not here has no door. */
  readonly credentials: Readonly<Record<string, Credentials>>
}

/** What a sender has to show. */
export type Credentials =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'signature'; readonly secret: string }

/** Zone where neither the configuration nor TZ names one: the one that logs, brokers and colleagues elsewhere agree on. */
export const defaultZone = 'UTC'
