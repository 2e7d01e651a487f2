/** Permissions that Slack hands out with an interaction: to open a modal (trigger_id) and to answer (response_url). */

/** Slack: 3 seconds from the click, delivery included, and one use. */
export const TRIGGER_LIVES_MS = 3_000
/** Slack: five answers within half an hour. */
export const RESPONSE_URL_LIVES_MS = 30 * 60_000
export const RESPONSE_URL_USES = 5

export interface Trigger {
  readonly user: string
  readonly madeAtMs: number
  /** View it was pressed in; null = in a message or by a command. */
  readonly viewId: string | null
  used: boolean
}

export interface ResponseUrl {
  readonly user: string
  readonly channel: string
  readonly madeAtMs: number
  /** Message it was pressed in: replace_original and delete_original mean this one. */
  readonly original: { readonly ts: string; readonly ephemeral: boolean } | null
  readonly threadTs: string | null
  uses: number
}

/** @returns the trigger, marked as used; else Slack's error */
export function exchangeTrigger(triggers: ReadonlyMap<string, Trigger>, id: string, nowMs: number): Trigger | string {
  const trigger = triggers.get(id)
  if (trigger === undefined) return 'invalid_trigger_id'
  if (trigger.used) return 'exchanged_trigger_id'
  if (nowMs - trigger.madeAtMs > TRIGGER_LIVES_MS) return 'expired_trigger_id'
  trigger.used = true
  return trigger
}

/** @returns what Slack says to a response_url that is no longer good; null = it counts as one more use */
export function useResponseUrl(url: ResponseUrl, nowMs: number): 'expired_url' | 'used_url' | null {
  if (nowMs - url.madeAtMs > RESPONSE_URL_LIVES_MS) return 'expired_url'
  if (url.uses >= RESPONSE_URL_USES) return 'used_url'
  url.uses += 1
  return null
}
