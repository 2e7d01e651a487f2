/** Tables, and charts drawn as the table of their numbers. */
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'
import type { Reader } from './reader.ts'
import { richText } from './rich-text.ts'

function cell(value: unknown, reader: Reader): Markup {
  const fields = fieldsOf(value)
  return fields.type === 'rich_text' ? richText(fields, reader) : html`${textOf(fields.text)}`
}

function grid(
  rows: readonly unknown[],
  reader: Reader,
  classOf: (column: number, value: unknown) => string,
  caption: Markup = nothing,
): Markup {
  const [head, ...body] = rows.map(listOf)
  const draw = (row: readonly unknown[], kind: 'th' | 'td'): Markup => {
    const cells = row.map((value, column) =>
      kind === 'th'
        ? html`<th class="${classOf(column, value)}">${cell(value, reader)}</th>`
        : html`<td class="${classOf(column, value)}">${cell(value, reader)}</td>`,
    )
    return html`<tr>${cells}</tr>`
  }
  return html`<div class="scroll"><table>${caption}<thead>${draw(head ?? [], 'th')}</thead><tbody>${body.map((row) => draw(row, 'td'))}</tbody></table></div>`
}

export function table(block: Fields, reader: Reader): Markup {
  const settings = listOf(block.column_settings).map(fieldsOf)
  return grid(
    listOf(block.rows),
    reader,
    (column) => `${textOf(settings[column]?.align) || 'left'}${settings[column]?.is_wrapped === true ? ' wrap' : ''}`,
  )
}

/** All rows at once: Slack would show them page by page. */
export function dataTable(block: Fields, reader: Reader): Markup {
  const numbers = (_: number, value: unknown): string => (fieldsOf(value).type === 'raw_number' ? 'right' : 'left')
  return grid(listOf(block.rows), reader, numbers, html`<caption>${textOf(block.caption)}</caption>`)
}

/** Slack would draw lines, bars or a pie. */
export function chart(block: Fields, reader: Reader): Markup {
  const drawn = fieldsOf(block.chart)
  const text = (value: unknown): Fields => ({ type: 'raw_text', text: String(value) })
  const series = listOf(drawn.series).map(fieldsOf)
  const segments = listOf(drawn.segments).map(fieldsOf)
  const categories = listOf(fieldsOf(drawn.axis_config).categories)
  const rows =
    segments.length > 0
      ? [[text(''), text('value')], ...segments.map((one) => [text(one.label), text(one.value)])]
      : [
          [text(''), ...series.map((one) => text(one.name))],
          ...categories.map((name, place) => [text(name), ...series.map((one) => text(fieldsOf(listOf(one.data)[place]).value))]),
        ]
  return grid(
    rows,
    reader,
    (column) => (column === 0 ? 'left' : 'right'),
    html`<caption>${textOf(block.title)} (${textOf(drawn.type)} chart)</caption>`,
  )
}
