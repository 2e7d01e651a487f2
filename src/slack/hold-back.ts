/**
 * Slack counts calls by method, not by message: when it says that there were too many, all messages wait, not only the one that happened to
 * ask. Otherwise each of them would find out by itself, again and again, and most of what Slack hears from us were calls it refuses.
 */
import type { Chat, Outcome } from '../workflow/incident-ports.ts'
import { refused } from './outcome.ts'

/** Channels that are remembered for having been told to wait, at most so many at once. */
const mostRemembered = 1_000

/** What waits is refused with the time that is left, as Slack would. What one person is told alone is not held back: nobody else says it. */
export function holdingBack(chat: Chat, nowMs: () => number): Chat {
  const untilMs = new Map<string, number>()

  async function unlessHeld<T>(what: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const leftMs = (untilMs.get(what) ?? 0) - nowMs()
    if (leftMs > 0) return refused('ratelimited', false, leftMs)
    untilMs.delete(what)
    const outcome = await call()
    if (outcome.kind === 'refused' && outcome.code === 'ratelimited' && outcome.retryAfterMs !== null) {
      if (untilMs.size >= mostRemembered) untilMs.delete(untilMs.keys().next().value!)
      untilMs.set(what, Math.max(untilMs.get(what) ?? 0, nowMs() + outcome.retryAfterMs))
    }
    return outcome
  }

  return {
    // A channel has a limit of its own for what is posted into it.
    post: (posting) => unlessHeld(`post ${posting.channel}`, () => chat.post(posting)),
    edit: (posting) => unlessHeld('edit', () => chat.edit(posting)),
    remove: (channel, ts) => unlessHeld('remove', () => chat.remove(channel, ts)),
    // The list of a channel and that of a thread are two methods.
    find: (at) => unlessHeld(at.threadTs === null ? 'find' : 'find in a thread', () => chat.find(at)),
    upload: (png, title) => unlessHeld('upload', () => chat.upload(png, title)),
    ready: (file) => unlessHeld('ready', () => chat.ready(file)),
    tellAlone: chat.tellAlone,
    permalink: (channel, ts) => unlessHeld('permalink', () => chat.permalink(channel, ts)),
  }
}
