/** A posting as Slack's arguments: notification text, blocks and the mark by which it is found again. */
import type { Text } from '../report/message.ts'
import type { Posting } from '../workflow/incident-ports.ts'
import type { SlackBlock } from './blocks/piece.ts'
import { toBlocks } from './blocks.ts'
import { limits } from './limits.ts'
import { notification } from './notification.ts'

/** How much of itself a message shows: what Slack refuses as a whole is tried smaller, so that nobody waits for a verdict in vain. */
export type Shape = 'whole' | 'short' | 'plain'

export const eventType = 'headwater_message'

export interface Content {
  readonly text: string
  readonly blocks: SlackBlock[]
  readonly metadata: { event_type: string; event_payload: { slot: string; edition: number } }
  readonly unfurl_links: false
  readonly unfurl_media: false
}

type Said = Pick<Posting, 'slot' | 'edition' | 'text' | 'body' | 'picture'>

export function contentOf(posting: Said, shape: Shape): Content {
  const { slot, edition, body } = posting
  const text = notification(posting.text, body)
  const metadata = { event_type: eventType, event_payload: { slot, edition } }
  return { text, blocks: blocksOf(posting, shape, text), metadata, unfurl_links: false, unfurl_media: false }
}

function blocksOf({ edition, body, picture }: Said, shape: Shape, text: string): SlackBlock[] {
  const mark = `e${edition}${picture === null ? '' : 'p'}${shape.slice(0, 1)}`
  if (shape !== 'plain') return toBlocks(body, { mark, picture, most: shape === 'whole' ? limits.message : limits.shortMessage })
  const buttons = body.filter((block) => block.kind === 'buttons')
  const words: SlackBlock = { type: 'section', block_id: `${mark}-text`, text: { type: 'mrkdwn', text, verbatim: true } }
  return [words, ...toBlocks(buttons, { mark, picture: null, most: limits.message })]
}

/** What only one person sees: never found again, so without a mark. */
export function answerContent(text: Text, body: Posting['body']): Pick<Content, 'text' | 'blocks'> {
  return { text: notification(text, body), blocks: toBlocks(body, { mark: 'answer', picture: null, most: limits.message }) }
}
