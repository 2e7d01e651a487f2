/**
 * What a message says where its blocks are not shown: in a notification, on a watch, to a screen reader. The conclusion is its first
 * line. Escaped, so that no word in it is more than a word; people are mentions, so that they are read out by name.
 */
import type { Block, Message, Part, Text } from '../report/message.ts'
import { andMore, fitting } from './blocks/room.ts'
import { cut, escaped, parts } from './blocks/text.ts'
import { limits } from './limits.ts'

const longestLine = 300

export function notification(text: Text, body: Message): string {
  const first = written(cut(parts(text), longestLine)) || 'Headwater'
  const below = body
    .flatMap(lines)
    .map((line) => written(cut(line, longestLine)))
    .filter((line) => line !== '' && line !== first)
  const { shown, left } = fitting(below, (line) => line.length, limits.text - first.length - 1)
  return [first, ...shown, ...(left === 0 ? [] : [andMore(left)])].join('\n')
}

function written(line: readonly Part[]): string {
  return line
    .map((part) => {
      if (typeof part === 'string') return escaped(part)
      if ('at' in part) return escaped(part.plain)
      if ('link' in part) return escaped(part.words)
      if ('channel' in part) return `<#${part.channel}>`
      return 'person' in part ? `<@${part.person}>` : `<!subteam^${part.group}>`
    })
    .join('')
}

function lines(block: Block): readonly (readonly Part[])[] {
  switch (block.kind) {
    case 'headline':
      return block.below === null ? [parts(block.text)] : [parts(block.text), parts(block.below)]
    case 'answers':
    case 'facts':
      return block.rows.map(({ label, text }) => labelled(label, text))
    case 'small':
      return block.rows.map(parts)
    case 'list':
      return block.items.map(({ text, note }) => labelled(block.title, note === null ? text : `${text} ${note}`))
    case 'bars':
      return block.rows.map(({ label, share }) => labelled(label, `${Math.round(share * 100)} %`))
    case 'commands':
      return block.items.map(({ command }) => parts(command))
    case 'buttons':
    case 'picture':
      return []
  }
}

const labelled = (label: string, text: Text): readonly Part[] => (label === '' ? parts(text) : [...parts(`${label}:`), ' ', ...parts(text)])
