/** A sentence as bare text: for terminals, notifications and screen readers. */
import type { Text } from './message.ts'

export function plain(text: Text): string {
  if (typeof text === 'string') return text
  return text
    .map((part) => {
      if (typeof part === 'string') return part
      if ('at' in part) return part.plain
      if ('link' in part) return part.words
      if ('channel' in part) return `#${part.channel}`
      return `@${'person' in part ? part.person : part.group}`
    })
    .join('')
}
