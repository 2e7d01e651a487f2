/** Tables and charts: blocks that hold rows and numbers. */

import { fieldsOf, listOf, textOf } from '../json.ts'
import type { Check, Problem } from './check.ts'
import { both, byType, flag, list, number, object, problem, string, whole, word } from './check.ts'
import { limits } from './limits.ts'
import { richText } from './rich-text-rules.ts'
import { textLength } from './text-length.ts'
import { id } from './text-rules.ts'

const rawText = object({ required: { type: word('raw_text'), text: string({ min: 1 }) } })
const rawNumber = object({ required: { type: word('raw_number'), value: number, text: string({ min: 1 }) } })
const cell = byType(() => ({ raw_text: rawText, raw_number: rawNumber, rich_text: richText }))
const headerCell = byType(() => ({ raw_text: rawText, raw_number: rawNumber }))

function notTooLong(rows: unknown, most: number, pointer: string): Problem[] {
  const got = textLength(rows)
  return got > most
    ? [problem(`all cells together must be less than ${most + 1} characters`, pointer, { type: 'max_length', expected: most, got })]
    : []
}

export const table: Check = object({
  required: {
    type: word('table'),
    rows: list(list(cell, { min: 1, max: limits.table.cells }), { min: 1, max: limits.table.rows }),
  },
  optional: {
    block_id: id,
    column_settings: list(nullable(object({ optional: { align: word('left', 'center', 'right'), is_wrapped: flag } })), {
      max: limits.table.settings,
    }),
  },
  also: (value, pointer) => notTooLong(value.rows, limits.table.characters, `${pointer}/rows`),
})

/** column_settings may skip a column with null. */
function nullable(check: Check): Check {
  return (value, pointer) => (value === null ? [] : check(value, pointer))
}

const dataRows: Check = both(
  list(list(cell, { min: 1, max: limits.dataTable.cells }), { min: 2, max: limits.dataTable.rows }),
  (value, pointer) => {
    const [header, ...rows] = value as readonly (readonly unknown[])[]
    const uneven = rows.flatMap((row, place) =>
      row.length === header!.length ? [] : [problem('all rows must have the same number of cells', `${pointer}/${place + 1}`)],
    )
    return [...list(headerCell)(header, `${pointer}/0`), ...uneven, ...notTooLong(value, limits.dataTable.characters, pointer)]
  },
)

export const dataTable: Check = object({
  required: { type: word('data_table'), rows: dataRows, caption: string({ min: 1 }) },
  optional: { block_id: id, page_size: whole(1, limits.dataTable.pageSize), row_header_column_index: whole(0, limits.dataTable.cells - 1) },
})

const chartName = string({ min: 1, max: limits.chart.name })
const positive: Check = (value, pointer) => (typeof value === 'number' && value > 0 ? [] : [problem('must be more than 0', pointer)])
const point = object({ required: { label: chartName, value: number } })

const pie = object({
  required: {
    type: word('pie'),
    segments: list(object({ required: { label: chartName, value: positive } }), { min: 1, max: limits.chart.segments }),
  },
})

function lines(type: string): Check {
  return object({
    required: {
      type: word(type),
      series: list(object({ required: { name: chartName, data: list(point, { min: 1, max: limits.chart.points }) } }), {
        min: 1,
        max: limits.chart.series,
      }),
      axis_config: object({
        required: { categories: list(chartName, { min: 1, max: limits.chart.points }) },
        optional: { x_label: string({ max: limits.chart.axis }), y_label: string({ max: limits.chart.axis }) },
      }),
    },
    also: (value, pointer) => {
      const categories = JSON.stringify(fieldsOf(value.axis_config).categories)
      const series = listOf(value.series).map(fieldsOf)
      const names = new Set(series.map((one) => textOf(one.name)))
      const other = series.flatMap((one, place) =>
        JSON.stringify(listOf(one.data).map((each) => fieldsOf(each).label)) === categories
          ? []
          : [problem('data labels must match the categories', `${pointer}/series/${place}/data`)],
      )
      return names.size === series.length ? other : [problem('series names must be unique', `${pointer}/series`), ...other]
    },
  })
}

export const chart: Check = object({
  required: {
    type: word('data_visualization'),
    title: string({ min: 1, max: limits.chart.title }),
    chart: byType(() => ({ pie, bar: lines('bar'), area: lines('area'), line: lines('line') })),
  },
  optional: { block_id: id },
})
