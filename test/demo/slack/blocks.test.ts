/** The validator against the table of limits: what is at the limit passes, what is one over does not, and the pointer says where. */
import { describe, expect, test } from 'vitest'
import { messageProblems, viewProblems } from '../../../src/demo/slack/blocks/validate.ts'
import type { Fields } from '../../../src/demo/slack/json.ts'

const x = (length: number): string => 'x'.repeat(length)
const plain = (length: number): Fields => ({ type: 'plain_text', text: x(length) })
const mrkdwn = (length: number): Fields => ({ type: 'mrkdwn', text: x(length) })
const times = <T>(count: number, make: (place: number) => T): T[] => Array.from({ length: count }, (_, place) => make(place))
const option = (place = 0, more: Fields = {}): Fields => ({ text: plain(1), value: `v${place}`, ...more })
const button = (more: Fields = {}): Fields => ({ type: 'button', text: plain(1), ...more })
const actions = (...elements: Fields[]): Fields => ({ type: 'actions', elements })
const input = (element: Fields, more: Fields = {}): Fields => ({ type: 'input', label: plain(1), element, ...more })
const raw = (length: number): Fields => ({ type: 'raw_text', text: x(length) })
const table = (rows: number, cells: number, length = 1): Fields => ({
  type: 'table',
  rows: times(rows, () => times(cells, () => raw(length))),
})
const data = (rows: number): Fields => ({ type: 'data_table', caption: 'c', rows: times(rows, () => [raw(1)]) })
const confirm = (title: number, text: number, word: number): Fields => ({
  title: plain(title),
  text: plain(text),
  confirm: plain(word),
  deny: plain(word),
})
const chart = (series: number, points: number, name = 1): Fields => ({
  type: 'data_visualization',
  title: 'c',
  chart: {
    type: 'line',
    series: times(series, (place) => ({ name: `${x(name - 1)}${place}`, data: times(points, (at) => ({ label: `${at}`, value: 1 })) })),
    axis_config: { categories: times(points, (at) => `${at}`) },
  },
})
const image = (more: Fields): Fields => ({ type: 'image', alt_text: 'a', ...more })
const url = (length: number): string => `https://a.test/${x(length - 15)}`

describe('limits', () => {
  test.each<[what: string, atLimit: Fields[], over: Fields[], pointer: string]>([
    ['blocks', times(50, () => ({ type: 'divider' })), times(51, () => ({ type: 'divider' })), ''],
    ['header', [{ type: 'header', text: plain(150) }], [{ type: 'header', text: plain(151) }], '/0/text/text'],
    ['section text', [{ type: 'section', text: mrkdwn(3_000) }], [{ type: 'section', text: mrkdwn(3_001) }], '/0/text/text'],
    [
      'fields',
      [{ type: 'section', fields: times(10, () => plain(2_000)) }],
      [{ type: 'section', fields: times(11, () => plain(1)) }],
      '/0/fields',
    ],
    ['a field', [{ type: 'section', fields: [plain(2_000)] }], [{ type: 'section', fields: [plain(2_001)] }], '/0/fields/0/text'],
    [
      'context',
      [{ type: 'context', elements: times(10, () => plain(1)) }],
      [{ type: 'context', elements: times(11, () => plain(1)) }],
      '/0/elements',
    ],
    ['actions', [actions(...times(25, () => button()))], [actions(...times(26, () => button()))], '/0/elements'],
    ['button text', [actions(button({ text: plain(75) }))], [actions(button({ text: plain(76) }))], '/0/elements/0/text/text'],
    ['button value', [actions(button({ value: x(2_000) }))], [actions(button({ value: x(2_001) }))], '/0/elements/0/value'],
    ['button url', [actions(button({ url: url(3_000) }))], [actions(button({ url: url(3_001) }))], '/0/elements/0/url'],
    [
      'button label',
      [actions(button({ accessibility_label: x(75) }))],
      [actions(button({ accessibility_label: x(76) }))],
      '/0/elements/0/accessibility_label',
    ],
    ['action_id', [actions(button({ action_id: x(255) }))], [actions(button({ action_id: x(256) }))], '/0/elements/0/action_id'],
    ['block_id', [{ type: 'divider', block_id: x(255) }], [{ type: 'divider', block_id: x(256) }], '/0/block_id'],
    [
      'confirm title',
      [actions(button({ confirm: confirm(100, 300, 30) }))],
      [actions(button({ confirm: confirm(101, 300, 30) }))],
      '/0/elements/0/confirm/title/text',
    ],
    ['confirm text', [], [actions(button({ confirm: confirm(1, 301, 1) }))], '/0/elements/0/confirm/text/text'],
    ['confirm button', [], [actions(button({ confirm: confirm(1, 1, 31) }))], '/0/elements/0/confirm/confirm/text'],
    [
      'options of a menu',
      [actions({ type: 'static_select', options: times(100, option) })],
      [actions({ type: 'static_select', options: times(101, option) })],
      '/0/elements/0/options',
    ],
    [
      'option text',
      [],
      [actions({ type: 'static_select', options: [option(0, { text: plain(76) })] })],
      '/0/elements/0/options/0/text/text',
    ],
    ['option value', [], [actions({ type: 'static_select', options: [option(0, { value: x(76) })] })], '/0/elements/0/options/0/value'],
    [
      'overflow',
      [actions({ type: 'overflow', options: times(5, option) })],
      [actions({ type: 'overflow', options: times(6, option) })],
      '/0/elements/0/options',
    ],
    [
      'radio buttons',
      [input({ type: 'radio_buttons', options: times(10, option) })],
      [input({ type: 'radio_buttons', options: times(11, option) })],
      '/0/element/options',
    ],
    [
      'placeholder',
      [input({ type: 'plain_text_input', placeholder: plain(150) })],
      [input({ type: 'plain_text_input', placeholder: plain(151) })],
      '/0/element/placeholder/text',
    ],
    [
      'label',
      [input({ type: 'plain_text_input' }, { label: plain(2_000) })],
      [input({ type: 'plain_text_input' }, { label: plain(2_001) })],
      '/0/label/text',
    ],
    [
      'length of an input',
      [input({ type: 'plain_text_input', max_length: 3_000 })],
      [input({ type: 'plain_text_input', max_length: 3_001 })],
      '/0/element/max_length',
    ],
    ['alt text', [image({ image_url: url(20), alt_text: x(2_000) })], [image({ image_url: url(20), alt_text: x(2_001) })], '/0/alt_text'],
    ['image url', [image({ image_url: url(3_000) })], [image({ image_url: url(3_001) })], '/0/image_url'],
    ['rows of a table', [table(100, 1)], [table(101, 1)], '/0/rows'],
    ['cells of a row', [table(1, 20)], [table(1, 21)], '/0/rows/0'],
    ['characters of a table', [table(100, 1, 100)], [table(100, 1, 101)], '/0/rows'],
    ['tables', [table(1, 1)], [table(1, 1), table(1, 1)], ''],
    ['rows of a data table', [data(101)], [data(102)], '/0/rows'],
    ['rows of a data table, least', [data(2)], [data(1)], '/0/rows'],
    ['series of a chart', [chart(6, 20)], [chart(7, 1)], '/0/chart/series'],
    ['points of a chart', [chart(1, 20)], [chart(1, 21)], '/0/chart/series/0/data'],
    ['name of a series', [chart(1, 1, 20)], [chart(1, 1, 21)], '/0/chart/series/0/name'],
    ['charts', [chart(1, 1), chart(1, 1)], [chart(1, 1), chart(1, 1), chart(1, 1)], ''],
    [
      'markdown, all blocks together',
      [{ type: 'markdown', text: x(12_000) }],
      [
        { type: 'markdown', text: x(12_000) },
        { type: 'markdown', text: 'x' },
      ],
      '',
    ],
    ['card body', [{ type: 'card', body: mrkdwn(200) }], [{ type: 'card', body: mrkdwn(201) }], '/0/body/text'],
    [
      'children of a container',
      [{ type: 'container', title: plain(150), child_blocks: times(10, () => ({ type: 'divider' })) }],
      [{ type: 'container', title: plain(1), child_blocks: times(11, () => ({ type: 'divider' })) }],
      '/0/child_blocks',
    ],
  ])('%s', (_, atLimit, over, pointer) => {
    expect(messageProblems(atLimit)).toEqual([])
    expect(messageProblems(over).map((one) => one.pointer)).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${pointer}`))]),
    )
  })

  test.each<[what: string, block: Fields, message: string]>([
    ['an unknown type', { type: 'sections' }, 'unsupported type: sections'],
    ['no type', {}, 'missing required field: type'],
    ['a property too many', { type: 'divider', colour: 'red' }, 'invalid additional property: colour'],
    ['an empty text', { type: 'section', text: plain(0) }, 'must be more than 0 characters'],
    ['a header in mrkdwn', { type: 'header', text: mrkdwn(1) }, 'unsupported type: mrkdwn'],
    ['a section without anything', { type: 'section' }, 'must provide at least one of text or fields'],
    [
      'an image with two pictures',
      image({ image_url: url(20), slack_file: { id: 'F0' } }),
      'must provide exactly one of image_url or slack_file',
    ],
    ['a file with two names', image({ slack_file: { id: 'F0', url: url(20) } }), 'must provide exactly one of id or url'],
    ['a button of another colour', actions(button({ style: 'warning' })), 'must be one of: primary, danger'],
    ['a link that runs', actions(button({ url: 'javascript:alert(1)' })), 'Invalid URL'],
    ['a text where an object should be', { type: 'section', text: 'hello' }, 'must provide an object'],
    [
      'a menu with both kinds of options',
      actions({ type: 'static_select', options: [option()], option_groups: [{ label: plain(1), options: [option()] }] }),
      'must provide exactly one of options or option_groups',
    ],
    ['a button as an input', input(button()), 'unsupported type: button'],
    [
      'a chart without its categories',
      { ...chart(1, 2), chart: { ...(chart(1, 2).chart as Fields), axis_config: { categories: ['a'] } } },
      'data labels must match the categories',
    ],
  ])('%s is named', (_, block, message) => {
    expect(messageProblems([block]).map((one) => one.message)).toContain(message)
  })
})

describe('ids', () => {
  test('a block_id stands once in a message, an action_id once in a block', () => {
    const twin = { type: 'divider', block_id: 'a' }
    expect(messageProblems([twin, twin])).toMatchObject([{ pointer: '/1/block_id' }])
    expect(messageProblems([actions(button({ action_id: 'a' }), button({ action_id: 'a' }))])).toMatchObject([{ pointer: '/0' }])
    expect(messageProblems([actions(button({ action_id: 'a' })), actions(button({ action_id: 'a' }))])).toEqual([])
  })
})

describe('views', () => {
  const view = (more: Fields): Fields => ({ type: 'modal', title: plain(24), blocks: [], ...more })
  test.each<[what: string, view: Fields, pointer: string | null]>([
    ['a title of 24', view({}), null],
    ['a title of 25', view({ title: plain(25) }), '/title/text'],
    ['a submit of 25', view({ submit: plain(25) }), '/submit/text'],
    ['100 blocks', view({ blocks: times(100, () => ({ type: 'divider' })) }), null],
    ['101 blocks', view({ blocks: times(101, () => ({ type: 'divider' })) }), '/blocks'],
    ['private_metadata of 3,001', view({ private_metadata: x(3_001) }), '/private_metadata'],
    ['an input without submit', view({ blocks: [input({ type: 'plain_text_input' })] }), ''],
    ['an input with submit', view({ blocks: [input({ type: 'plain_text_input' })], submit: plain(1) }), null],
    ['a block that is wrong', view({ blocks: [{ type: 'header', text: plain(151) }] }), '/blocks/0/text/text'],
  ])('%s', (_, content, pointer) => {
    expect(viewProblems(content).map((one) => one.pointer)).toEqual(pointer === null ? [] : [pointer])
  })
})
