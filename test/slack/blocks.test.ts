/** The message model as Slack's blocks: what a reader sees, and that Slack takes whatever is in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textLength } from '../../src/demo/slack/blocks/text-length.ts'
import { messageProblems } from '../../src/demo/slack/blocks/validate.ts'
import type { Block, Message } from '../../src/report/message.ts'
import { toBlocks } from '../../src/slack/blocks.ts'
import { contentOf } from '../../src/slack/content.ts'
import { notification } from '../../src/slack/notification.ts'
import { anyMessage, anyWords } from '../build/message.ts'

const made = (message: Message, most = 12_000) => toBlocks(message, { mark: 'e1', picture: null, most })

/** Everything in these blocks that could be read, one line for each text. */
function read(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(read)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string' && ['text', 'fallback', 'alt_text'].includes(name) ? [one] : read(one),
  )
}

const bullet = (count: number, length = 60): Block => ({
  kind: 'list',
  title: 'Why',
  mark: '+',
  tone: 'good',
  items: Array.from({ length: count }, (_, i) => ({ text: `${i} ${'x'.repeat(length)}`, note: null })),
  left: 0,
})

describe('what a reader sees', () => {
  test('the headline is a header, with a sign that says by colour what its words say', () => {
    const [header] = made([{ kind: 'headline', tone: 'bad', text: 'orders: one partition takes too much', below: null }])
    expect(header).toMatchObject({
      type: 'header',
      text: { type: 'plain_text', text: '🔴 orders: one partition takes too much', emoji: false },
    })
  })

  test('answers are one block of short lines: question in bold, times in the zone of whoever reads, people as people', () => {
    const at = 1_796_047_500
    const [block] = made([
      {
        kind: 'answers',
        rows: [
          { label: 'Where', text: 'partition 3 of orders' },
          { label: 'Since', text: ['between ', { at, plain: '14:05 UTC' }, ' and ', { at: at + 60, plain: '14:06 UTC' }] },
          { label: 'Sign-off', text: ['approved by ', { person: 'U0BEN' }] },
        ],
      },
    ])
    expect(block).toMatchObject({
      type: 'rich_text',
      elements: [
        {
          elements: [
            { type: 'text', text: 'Where', style: { bold: true } },
            { type: 'text', text: '  ' },
            { type: 'text', text: 'partition 3 of orders' },
            { type: 'text', text: '\n' },
            { text: 'Since' },
            { text: '  ' },
            { text: 'between ' },
            { type: 'date', timestamp: at, format: '{date_short_pretty} {time}', fallback: '14:05 UTC' },
            { text: ' and ' },
            { type: 'date', timestamp: at + 60, format: '{time}', fallback: '14:06 UTC' },
            { text: '\n' },
            { text: 'Sign-off' },
            { text: '  ' },
            { text: 'approved by ' },
            { type: 'user', user_id: 'U0BEN' },
          ],
        },
      ],
    })
  })

  test('small print keeps its lines; a time in it is written in Slack’s way', () => {
    const rows = ['Not seen: spark', ['looked at ', { at: 1_796_047_500, plain: '14:05 UTC' }, ', revision 2']] as const
    expect(made([{ kind: 'small', rows }])[0]).toMatchObject({
      type: 'context',
      elements: [
        {
          type: 'mrkdwn',
          verbatim: true,
          text: 'Not seen: spark\nlooked at <!date^1796047500^{date_short_pretty} {time}|14:05 UTC>, revision 2',
        },
      ],
    })
  })

  test('a button carries ids alone, and says what pressing it means', () => {
    const pressable = {
      button: 'approve',
      label: 'Approve',
      tone: 'good',
      confirm: { title: 'Sure?', text: '12 → 24' },
      incident: 'i-1',
      hash: 'abc',
    } as const
    const later = { ...pressable, button: 'need_more', label: 'Need more…', tone: 'plain', confirm: null } as const
    expect(made([{ kind: 'buttons', items: [pressable, later] }])[0]).toMatchObject({
      type: 'actions',
      elements: [
        {
          action_id: 'headwater_approve',
          style: 'primary',
          value: '["i-1","abc"]',
          confirm: { text: { type: 'plain_text', text: '12 → 24' } },
        },
        { action_id: 'headwater_need_more', text: { text: 'Need more…' } },
      ],
    })
  })

  test('shares are bars that fit on a phone, commands stand whole in a fixed width', () => {
    const bars: Block = {
      kind: 'bars',
      title: 'Pressure',
      note: 'demand is 1.4 times capacity',
      rows: [
        { label: 'skew', share: 0.7 },
        { label: 'intake', share: -0.1 },
      ],
    }
    const commands: Block = {
      kind: 'commands',
      title: 'Check',
      items: [{ number: null, command: 'kafka-topics.sh  --describe', expect: ['12 partitions'] }],
      left: 3,
    }
    expect(read(made([bars, commands]))).toEqual([
      'Pressure: demand is 1.4 times capacity',
      'skew   ███████░░░ 70 %\nintake █░░░░░░░░░ −10 %',
      'Check',
      'kafka-topics.sh  --describe',
      '→ 12 partitions',
      '… and 3 more',
    ])
  })

  test('the picture stands where the message wants it, and nothing stands there before it is ready', () => {
    const message: Message = [{ kind: 'small', rows: ['above'] }, { kind: 'picture' }, { kind: 'small', rows: ['below'] }]
    const types = (file: string | null) =>
      toBlocks(message, { mark: 'm', picture: file === null ? null : { file, alt: 'a chart' }, most: 900 }).map((one) => one.type)
    expect(types(null)).toEqual(['context', 'context'])
    expect(types('F0CHART00')).toEqual(['context', 'image', 'context'])
  })

  test('each edition has ids of its own, and so has the same edition with its picture', () => {
    const posting = {
      slot: 's',
      edition: 4,
      text: 't',
      body: [{ kind: 'small', rows: ['a'] }, { kind: 'picture' }] as Message,
      picture: null,
    }
    const ids = (more: object) => contentOf({ ...posting, ...more }, 'whole').blocks.map((one) => one.block_id)
    const all = [...ids({}), ...ids({ edition: 5 }), ...ids({ picture: { file: 'F0CHART00', alt: 'a' } })]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('what is left out is counted', () => {
  test('items that find no room', () => {
    const texts = read(made([bullet(100)]))
    const shown = texts.filter((one) => /^\d+ x/.test(one)).length
    expect(texts.at(-1)).toBe(`… and ${100 - shown} more`)
    expect(shown).toBeGreaterThan(30)
  })

  test('characters of a sentence without an end', () => {
    const text = read(made([{ kind: 'answers', rows: [{ label: '', text: 'y'.repeat(2_000) }] }])).join('')
    const kept = /^y+/.exec(text)![0].length
    expect(text).toBe(`${'y'.repeat(kept)}… (${2_000 - kept} more characters)`)
  })

  test('a command is never cut: half of it is another command', () => {
    const long = `rm ${'x'.repeat(1_500)}`
    expect(read(made([{ kind: 'commands', title: 'Check', items: [{ number: null, command: long, expect: [] }], left: 0 }]))).toEqual([
      'Check',
      '… and 1 more',
    ])
  })

  test('blocks beyond what Slack takes, evidence before answers', () => {
    const message: Message = [...Array.from({ length: 60 }, () => bullet(1)), { kind: 'answers', rows: [{ label: 'Do', text: 'this' }] }]
    const blocks = made(message)
    expect(blocks).toHaveLength(50)
    expect(read(blocks.at(-2))).toEqual(['Do', '  ', 'this'])
    expect(read(blocks.at(-1))).toEqual(['12 more parts of this message are left out: it is too long for Slack.'])
  })

  test('answers keep their room beside evidence without end', () => {
    const answers: Block = { kind: 'answers', rows: Array.from({ length: 8 }, (_, i) => ({ label: `Q${i}`, text: 'z'.repeat(200) })) }
    const texts = read(made([answers, ...Array.from({ length: 10 }, () => bullet(100))]))
    expect(texts.filter((one) => one.startsWith('zzz'))).toHaveLength(8)
    expect(texts.some((one) => /^\d+ x/.test(one))).toBe(true)
  })
})

describe('text that others wrote stays text', () => {
  const evil = '<!channel> <@U0BEN> <https://evil.test|here> & *bold* :fire:'
  const everywhere: Message = [
    { kind: 'headline', tone: 'bad', text: evil, below: evil },
    { kind: 'answers', rows: [{ label: evil, text: [evil, { link: 'javascript:alert(1)', words: evil }, { person: '<!channel>' }] }] },
    { kind: 'facts', rows: [{ label: evil, text: evil, tone: 'plain' }] },
    { kind: 'list', title: evil, mark: '+', tone: 'good', items: [{ text: evil, note: evil }], left: 0 },
    { kind: 'commands', title: evil, items: [{ number: null, command: evil, expect: [evil] }], left: 0 },
    { kind: 'bars', title: evil, note: evil, rows: [{ label: evil, share: 1 }] },
    { kind: 'small', rows: [evil, [evil, { at: 1, plain: evil }]] },
    {
      kind: 'buttons',
      items: [{ button: 'approve', label: evil, tone: 'good', confirm: { title: evil, text: evil }, incident: 'i', hash: 'h' }],
    },
  ]

  test('in every place of a message: no mention, no link, no format', () => {
    const blocks = JSON.stringify(made(everywhere), (name, value: unknown) =>
      name === 'text' && typeof value === 'string' ? 'text' : value,
    )
    expect(blocks).not.toMatch(/"type":"(broadcast|user|usergroup|channel|link|emoji)"/)
    const marked = JSON.stringify(made(everywhere)).match(/"type":"mrkdwn","text":"[^"]*"/g) ?? []
    expect(marked).toHaveLength(1)
    expect(marked[0]!.replaceAll(/<!date\^1\^[^<>]*>/g, '')).not.toMatch(/[<>]/)
  })

  test('in the notification', () => {
    expect(notification(evil, everywhere).replaceAll(/<@U0\w+>|<!subteam\^S\w+>|<#C\w+>/g, '')).not.toMatch(/[<>]/)
    expect(notification('a & b', [])).toBe('a &amp; b')
  })
})

describe('the notification', () => {
  test('begins with the conclusion and goes on with the answers', () => {
    const body: Message = [
      { kind: 'headline', tone: 'bad', text: 'orders: hot partition', below: null },
      {
        kind: 'answers',
        rows: [
          { label: 'Where', text: 'partition 3' },
          { label: 'By', text: [{ person: 'U0BEN' }] },
        ],
      },
    ]
    expect(notification('orders: hot partition', body)).toBe('orders: hot partition\nWhere: partition 3\nBy: <@U0BEN>')
  })
})

describe('whatever is in a message', () => {
  const file = { file: 'F0CHART00', alt: '' }

  test('Slack takes its blocks', () => {
    fc.assert(
      fc.property(anyMessage, fc.constantFrom(null, file), fc.constantFrom(12_000, 5_000), (message, picture, most) => {
        const blocks = toBlocks(message, { mark: 'e1', picture, most })
        expect(messageProblems(blocks)).toEqual([])
        // Lines about what was left out may come on top.
        expect(textLength(blocks)).toBeLessThanOrEqual(most + 1_100)
      }),
      { numRuns: 300 },
    )
  })

  test('in each shape, and its notification fits into an edit', () => {
    fc.assert(
      fc.property(anyMessage, anyWords, fc.constantFrom('whole', 'short', 'plain'), (body, text, shape) => {
        const content = contentOf({ slot: 's', edition: 1, text, body, picture: null }, shape as 'whole')
        expect(messageProblems(content.blocks)).toEqual([])
        expect(content.text.length).toBeLessThan(3_000)
        expect(content.text.trim()).not.toBe('')
      }),
      { numRuns: 200 },
    )
  })

  test('nothing of it calls anybody: where Slack reads marks, only our own times stand', () => {
    fc.assert(
      fc.property(anyWords, anyWords, (a, b) => {
        const rows = [[a, { at: 5, plain: b }], b]
        const [small] = made([{ kind: 'small', rows }]) as unknown as { elements: { type: string; text: string }[] }[]
        const [{ type, text }] = small!.elements as [{ type: string; text: string }]
        const marked = type === 'mrkdwn' ? text.replaceAll(/<!date\^5\^[^<>|]*\|[^<>|]*>/g, '') : ''
        const said = notification(a, [{ kind: 'answers', rows: [{ label: a, text: b }] }])
        expect(`${marked}${said}`).not.toMatch(/[<>]/)
      }),
      { numRuns: 200 },
    )
  })
})
