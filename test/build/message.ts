/** Messages of the model, made up by chance: with everything that people and systems may write into them. */
import fc from 'fast-check'
import type { Block, Message, Text } from '../../src/report/message.ts'

const hostile = fc.constantFrom(
  '<!channel>',
  '<!here|here>',
  '<@U0BEN>',
  '<https://evil.test|Approve here>',
  'https://evil.test/?a=1&b=<2>',
  '*bold* _it_ ~s~ `code` :fire:',
  '\u202egnp.exe',
  '\u0000\u001b[31mred',
  '\ud83d',
  '🧨'.repeat(900),
  'x'.repeat(5_000),
  '&'.repeat(3_000),
  '\n\n\n',
  '   ',
  '',
)

const words = fc.oneof({ weight: 3, arbitrary: fc.string({ maxLength: 60, unit: 'grapheme' }) }, { weight: 2, arbitrary: hostile })

const part = fc.oneof(
  words,
  fc.record({ at: fc.oneof(fc.integer({ min: 0, max: 4_000_000_000 }), fc.constant(Number.NaN)), plain: words }),
  fc.record({ person: fc.oneof(fc.constant('U0BEN'), words) }),
  fc.record({ group: fc.oneof(fc.constant('S0OWNERS'), words) }),
  fc.record({ channel: fc.oneof(fc.constant('C0INCIDENTS'), words) }),
  fc.record({ link: fc.oneof(fc.webUrl(), fc.constant('javascript:alert(1)'), words), words }),
)

const text: fc.Arbitrary<Text> = fc.oneof(words, fc.array(part, { maxLength: 8 }))
const tone = fc.constantFrom('plain', 'strong', 'dim', 'good', 'bad', 'unsure') as fc.Arbitrary<
  Extract<Block, { kind: 'headline' }>['tone']
>
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 40 })
const count = fc.integer({ min: 0, max: 5_000 })

const button = fc.record({
  button: fc.constantFrom('approve', 'decline', 'need_more', 'applied', 'withdraw', 'taken_back') as fc.Arbitrary<'approve'>,
  label: words,
  tone: fc.constantFrom('plain', 'good', 'bad') as fc.Arbitrary<'plain'>,
  confirm: fc.option(fc.record({ title: words, text: words })),
  incident: words,
  hash: words,
})

export const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant('headline' as const), tone, text: words, below: fc.option(words) }),
  fc.record({ kind: fc.constant('facts' as const), rows: some(fc.record({ label: words, text: words, tone })) }),
  fc.record({ kind: fc.constant('answers' as const), rows: some(fc.record({ label: words, text })) }),
  fc.record({ kind: fc.constant('small' as const), rows: some(text) }),
  fc.record({
    kind: fc.constant('list' as const),
    title: words,
    mark: fc.constant('+'),
    tone,
    items: some(fc.record({ text: words, note: fc.option(words) })),
    left: count,
  }),
  fc.record({
    kind: fc.constant('bars' as const),
    title: words,
    note: fc.option(words),
    rows: some(fc.record({ label: words, share: fc.oneof(fc.double({ min: -2, max: 2, noNaN: true }), fc.constant(Number.NaN)) })),
  }),
  fc.record({
    kind: fc.constant('commands' as const),
    title: words,
    items: some(fc.record({ number: fc.option(fc.nat(9), { nil: null }), command: words, expect: fc.array(words, { maxLength: 4 }) })),
    left: count,
  }),
  fc.constant({ kind: 'picture' as const }),
  fc.record({ kind: fc.constant('buttons' as const), items: some(button) }),
)

export const anyMessage: fc.Arbitrary<Message> = fc.array(anyBlock, { maxLength: 70 })
export const anyWords: fc.Arbitrary<string> = words
