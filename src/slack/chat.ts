/** Slack behind the port of the workflow: each function is one thing done once, with an outcome that says whether it happened. */
import type { WebClient } from '@slack/web-api'
import { incidentIn } from '../incident/incident-in.ts'
import type { Log } from '../log.ts'
import type { Chat, Outcome, Posting } from '../workflow/incident-ports.ts'
import { withMentions } from './blocks/text.ts'
import type { Shape } from './content.ts'
import { contentOf } from './content.ts'
import { find } from './find.ts'
import type { Ourselves } from './identity.ts'
import { outcomeOf } from './outcome.ts'
import type { TellAlone } from './tell-alone.ts'
import { isReady, upload } from './upload.ts'

export interface ChatPorts {
  readonly web: WebClient
  readonly ourselves: Ourselves
  readonly tellAlone: TellAlone
  readonly log: Log
  readonly apiUrl: string | undefined
  readonly timeoutMs: number
}

export function createChat(ports: ChatPorts): Chat {
  const { web, tellAlone } = ports
  const shapes = createShapes(ports.log)
  return {
    post: (posting) =>
      shapes.send(posting, async (shape) => {
        const { channel, threadTs } = posting
        const { ts } = await web.chat.postMessage({
          channel,
          ...contentOf(posting, shape),
          ...(threadTs === null ? {} : { thread_ts: threadTs }),
        })
        if (ts === undefined) throw new Error('an answer without the id of the message')
        return { ts }
      }),
    edit: (posting) =>
      shapes.send(posting, async (shape) => {
        const { unfurl_links: _, unfurl_media: __, ...content } = contentOf(posting, shape)
        await web.chat.update({ channel: posting.channel, ts: posting.ts, ...content })
        return null
      }),
    async remove(channel, ts) {
      const outcome = await outcomeOf(() => web.chat.delete({ channel, ts }))
      const gone = outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.code === 'message_not_found')
      return gone ? { kind: 'done', value: null } : outcome
    },
    find: (where) => find(where, web, ports.ourselves),
    upload: (png, title) => upload(png, title, ports),
    ready: (file) => isReady(file, web),
    tellAlone(to, says) {
      const text = withMentions(says)
      return tellAlone(to, { text, body: [{ kind: 'answers', rows: [{ label: '', text }] }] })
    },
    async permalink(channel, ts) {
      const outcome = await outcomeOf(() => web.chat.getPermalink({ channel, message_ts: ts }))
      return outcome.kind === 'done' ? { kind: 'done', value: outcome.value.permalink ?? '' } : outcome
    },
  }
}

/** Messages that Slack refused in a larger shape, at most so many at once. */
const mostRemembered = 1_000

/** A message that Slack refuses for its form is sent smaller the next time: without this, nobody would ever see what it says. */
function createShapes(log: Log) {
  const smaller = new Map<string, Shape>()

  async function send<T>(posting: Posting, call: (shape: Shape) => Promise<T>): Promise<Outcome<T>> {
    const { slot, edition } = posting
    const key = `${slot} ${edition}`
    const shape = smaller.get(key) ?? 'whole'
    const outcome = await outcomeOf(() => call(shape))
    if (outcome.kind === 'done') smaller.delete(key)
    if (outcome.kind !== 'refused' || !ofForm.has(outcome.code)) return outcome
    log.error('Slack refuses the form of a message', { ...incidentIn(slot), slot, edition, shape, code: outcome.code })
    if (shape === 'plain') return outcome
    if (smaller.size >= mostRemembered) smaller.delete(smaller.keys().next().value!)
    smaller.set(key, shape === 'whole' && outcome.code === 'msg_blocks_too_long' ? 'short' : 'plain')
    return { ...outcome, forGood: false, retryAfterMs: 0 }
  }

  return { send }
}

const ofForm = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'invalid_arguments', 'no_text'])
