/** Looks for messages of ours by the slot that stands in their metadata: what a call of unknown outcome may have left behind. */
import type { WebClient } from '@slack/web-api'
import type { Chat, Outcome } from '../workflow/incident-ports.ts'
import { eventType } from './content.ts'
import type { Ourselves } from './identity.ts'
import { outcomeOf, refused } from './outcome.ts'

type Where = Parameters<Chat['find']>[0]
type Found = readonly { readonly ts: string; readonly edition: number }[]

/** Slack's clock and ours may differ by so much. */
const clocksApartS = 60
/** Slack gives out 15 at once to apps that are distributed outside its marketplace, whatever is asked for. */
const atOnce = 100
const mostPages = 20

export async function find(where: Where, web: WebClient, ourselves: Ourselves): Promise<Outcome<Found>> {
  const outcome = await outcomeOf(async () => await look(where, web, (await ourselves.ask()).botId))
  // A fresh root is missing from Slack's lists for a moment, and its thread with it.
  if (outcome.kind === 'refused' && outcome.code === 'thread_not_found') return refused(outcome.code, false)
  return outcome
}

async function look({ channel, threadTs, slot, sinceMs }: Where, web: WebClient, botId: string): Promise<Found> {
  const found: { ts: string; edition: number }[] = []
  const oldest = `${Math.floor(sinceMs / 1000) - clocksApartS}.000000`
  let cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages++) {
    const ask = { channel, oldest, inclusive: true, include_all_metadata: true, limit: atOnce, ...(cursor ? { cursor } : {}) }
    const page = threadTs === null ? await web.conversations.history(ask) : await web.conversations.replies({ ...ask, ts: threadTs })
    for (const message of page.messages ?? []) {
      const edition = editionOf(message, slot, botId)
      if (edition !== null && message.ts !== undefined) found.push({ ts: message.ts, edition })
    }
    cursor = page.response_metadata?.next_cursor || undefined
    if (cursor === undefined) return found.toSorted((a, b) => Number(a.ts) - Number(b.ts))
  }
  throw new Error('more messages in the window than are looked through')
}

/** Metadata can be written by any app: only our own counts. @returns null = another message */
function editionOf(message: unknown, slot: string, botId: string): number | null {
  const { bot_id: by, metadata } = message as { bot_id?: unknown; metadata?: { event_type?: unknown; event_payload?: unknown } }
  if (by !== botId || metadata?.event_type !== eventType) return null
  const payload = (metadata.event_payload ?? {}) as { slot?: unknown; edition?: unknown }
  return payload.slot === slot && typeof payload.edition === 'number' ? payload.edition : null
}
