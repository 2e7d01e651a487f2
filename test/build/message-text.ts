/** A message as plain lines, for tests that people read: one row a line, what can be pressed in brackets. */
import type { Block } from '../../src/report/message.ts'
import type { Said } from '../../src/report/messages/incident/home.ts'
import { plain } from '../../src/report/plain.ts'

export function messageText({ text, body }: Said): string {
  return [`! ${text}`, ...body.flatMap(lines)].join('\n')
}

function lines(block: Block): string[] {
  switch (block.kind) {
    case 'headline':
      return [`# ${block.text}`, ...(block.below === null ? [] : [block.below])]
    case 'facts':
    case 'answers':
      return block.rows.map(({ label, text }) => `${label === '' ? '' : `${label}: `}${plain(text)}`)
    case 'list':
      return [
        `${block.title}:`,
        ...block.items.flatMap(({ text, note }) => [`  ${block.mark} ${text}`, ...(note === null ? [] : [`    ${note}`])]),
        ...(block.left > 0 ? [`  and ${block.left} more`] : []),
      ]
    case 'bars':
      return [block.title, ...block.rows.map(({ label, share }) => `  ${label} ${Math.round(share * 100)} %`)]
    case 'small':
      return block.rows.map((row) => `. ${plain(row)}`)
    case 'picture':
      return ['(picture)']
    case 'buttons':
      return [block.items.map(({ label }) => `[${label}]`).join(' ')]
    case 'commands':
      return [`${block.title}:`, ...block.items.map(({ command }) => `  $ ${command}`)]
  }
}
