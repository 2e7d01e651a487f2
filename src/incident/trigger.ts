/** Why Headwater woke up: a person asked, or an alert came. Texts in it are untrusted and bounded where they enter. */

/** A person or a bot as Slack names it. Ids only: names are looked up when they are shown. */
export interface Actor {
  readonly team: string
  readonly user: string
}

export interface Command {
  readonly kind: 'command'
  /** Idempotency key: the same request delivered twice has the same key. */
  readonly key: string
  readonly atMs: number
  readonly by: Actor
  readonly channel: string
  readonly pipeline: string
  /** Begin of the window that the asker named, epoch ms; null = the usual hour. */
  readonly sinceMs: number | null
  /** Wants the time taken for what only a heartbeat shows; absent = does not. */
  readonly thorough?: true
}

export interface Alert {
  readonly kind: 'alert'
  readonly key: string
  readonly atMs: number
  readonly pipeline: string
  /** The webhook format it came by, e.g. "alertmanager". */
  readonly format: string
  readonly status: 'firing' | 'resolved'
  /** What makes two deliveries the same alert. */
  readonly fingerprint: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** First line of its summary; '' = none. */
  readonly summary: string
  /** Where a person can see the alert at its origin; null = not told. */
  readonly url: string | null
  /** Since when the alert's own rule holds, epoch ms; null = not told. */
  readonly startsAtMs: number | null
}

export type Trigger = Command | Alert
