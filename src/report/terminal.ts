/** The verdict for a terminal: plain lines of at most `width` columns, whatever the names in it look like. */
import type { Attribution } from '../attribution/attribution.ts'
import { share } from '../incident/format.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Paint } from './ansi.ts'
import { painter } from './ansi.ts'
import { clean } from './clean.ts'
import type { Block, Fact, Message } from './message.ts'
import { verdictMessage } from './messages/verdict.ts'
import { plain } from './plain.ts'
import { shellLines } from './shell-lines.ts'
import { wallClock } from './wall-clock.ts'
import { columns, shorten, wrap } from './wrap.ts'

export interface TerminalView {
  /** IANA name, e.g. "Europe/Berlin". */
  readonly zone: string
  readonly width?: number
  readonly color: boolean
  readonly verbose: boolean
}

/** Nothing narrower can hold a label and a number. */
const leastWidth = 40

export function renderVerdict(attribution: Attribution, timeline: Timeline, view: TerminalView): string {
  const width = Math.max(leastWidth, view.width ?? 80)
  const paint = painter(view.color)
  const clock = wallClock(view.zone)
  const asked = timeline.zeroS + timeline.now
  const stamp = `asked ${clock.day(asked)} ${clock.time(asked)}, times in ${clock.zone}`
  const message = verdictMessage(attribution, timeline, view)
  return [...renderMessage(message, width, paint), '', ...wrap(stamp, width).map((line) => paint('dim', line)), ''].join('\n')
}

export function renderMessage(message: Message, width: number, paint: Paint): string[] {
  return message.flatMap((block, i) => [...(i === 0 ? [] : ['']), ...renderBlock(block, width, paint)])
}

function renderBlock(block: Block, width: number, paint: Paint): string[] {
  switch (block.kind) {
    case 'headline':
      return [...wrap(block.text, width).map((line) => paint(block.tone, line)), ...(block.below === null ? [] : wrap(block.below, width))]
    case 'facts':
      return factLines(block.rows, width, paint)
    case 'answers':
      return factLines(
        block.rows.map(({ label, text }) => ({ label, text: plain(text), tone: 'plain' })),
        width,
        paint,
      )
    case 'small':
      return block.rows.flatMap((row) => wrap(plain(row), width)).map((line) => paint('dim', line))
    case 'picture':
    case 'buttons':
      return []
    case 'bars':
      return [heading(block.title, block.note, width, paint), ...barLines(block.rows, width)].flat()
    case 'list': {
      const items = block.items.flatMap((item) => [
        ...painted(wrap(item.text, width, { first: `  ${block.mark} `, rest: '    ' }), 4, block.mark, paint, block.tone),
        ...(item.note === null ? [] : wrap(item.note, width, { first: '    → ', rest: '      ' })),
      ])
      return [...heading(block.title, null, width, paint), ...items, ...left(block.left, paint)]
    }
    case 'commands': {
      const items = block.items.flatMap(({ number, command, expect }) => [
        ...shellLines(command, width, number === null ? '  ' : `  [${number}] `).map((line) => paint('strong', line)),
        ...expect.flatMap((one) => wrap(one, width, { first: '    → ', rest: '      ' })),
      ])
      return [...heading(block.title, null, width, paint), ...items, ...left(block.left, paint)]
    }
  }
}

function heading(title: string, note: string | null, width: number, paint: Paint): string[] {
  if (note === null) return [paint('strong', shorten(title, width))]
  const lines = wrap(note, width, { first: `${title}: `, rest: '  ' })
  return lines.map((line, i) => (i === 0 ? paint('strong', line.slice(0, title.length)) + line.slice(title.length) : line))
}

/** Only the mark is coloured: sentences stay readable on any background. */
function painted(lines: readonly string[], indent: number, mark: string, paint: Paint, tone: Parameters<Paint>[0]): string[] {
  return lines.map((line, i) => (i === 0 ? `  ${paint(tone, mark)} ${line.slice(indent)}` : line))
}

const left = (count: number, paint: Paint): string[] => (count === 0 ? [] : [paint('dim', `  … and ${count} more (--verbose)`)])

function factLines(rows: readonly Fact[], width: number, paint: Paint): string[] {
  const label = Math.max(...rows.map((row) => row.label.length)) + 2
  return rows.flatMap((row, i) => {
    const repeated = rows[i - 1]?.label === row.label
    const shown = repeated ? '' : row.label
    const rest = ' '.repeat(label)
    return wrap(row.text, width, { first: rest, rest }).map((line, j) => {
      const text = paint(row.tone, line.slice(label))
      return (j === 0 ? paint('dim', shown) + ' '.repeat(label - shown.length) : rest) + text
    })
  })
}

/** A share of the growth in pressure as a bar; what relieved pressure has a negative share and no bar. */
function barLines(rows: readonly { readonly label: string; readonly share: number }[], width: number): string[] {
  const labels = rows.map((row) => shorten(clean(row.label), Math.max(24, Math.floor(width / 3))))
  const labelWidth = Math.max(...labels.map(columns))
  const barWidth = Math.min(30, width - labelWidth - 13)
  const longest = Math.max(1, ...rows.map((row) => row.share))
  return rows.map((row, i) => {
    const name = labels[i] as string
    const cells = row.share <= 0 ? 0 : Math.max(1, Math.round((row.share / longest) * barWidth))
    const bar = '█'.repeat(cells) + '·'.repeat(barWidth - cells)
    return `  ${name}${' '.repeat(labelWidth - columns(name))}  ${bar}  ${share(row.share).padStart(5)}`
  })
}
