/** Links whose address is not known when a message is written get it when it is sent. */
import type { Block, Message, Text } from './message.ts'

/** The same message, every link without an address leading to this one. */
export function withAddress(message: Message, url: string): Message {
  return message.map((block): Block => {
    if (block.kind === 'small') return { ...block, rows: block.rows.map((row) => led(row, url)) }
    if (block.kind === 'answers') return { ...block, rows: block.rows.map(({ label, text }) => ({ label, text: led(text, url) })) }
    return block
  })
}

function led(text: Text, url: string): Text {
  if (typeof text === 'string') return text
  return text.map((part) => (typeof part !== 'string' && 'link' in part && part.link === '' ? { ...part, link: url } : part))
}
