/**
 * Above a panel: what it shows and in which unit. Where the picture is narrow, also what each line is and where it stands now, as many
 * words as fit: a value is never left out, only written shorter.
 */
import type { Box, EndLabel, Panel } from './frame.ts'
import type { Layout } from './layout.ts'
import { ink } from './look.ts'
import { segment, text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'

export function titleRow(panel: Panel, box: Box, layout: Layout): string {
  return layout.labels === 'above' ? wholeRow(panel, box, layout) : title(layout.left, box, panel.title, panel.unit, layout)
}

/** Between the title and its unit. */
const unitGap = 12

/** What a panel is called, and in which unit it is drawn. */
export function title(left: number, box: Box, name: string, unit: string, { type }: Layout): string {
  const y = box.top + type.panel
  const words = text(left, y, name, { size: type.panel, weight: 'semibold', rim: true })
  if (unit === '') return words
  return words + text(left + textWidth(name, type.panel, 'semibold') + unitGap, y, unit, { size: type.label, color: ink.quiet, rim: true })
}

export function titleWidth(name: string, unit: string, { type }: Layout): number {
  return textWidth(name, type.panel, 'semibold') + (unit === '' ? 0 : unitGap + textWidth(unit, type.label))
}

interface Form {
  readonly name: string
  readonly unit: string
  readonly words: readonly string[]
}

/** Between a title and the labels after it. */
const gap = 20
/** A dashed line is told by its dash, whatever the colour. */
const sample = { width: 26, gap: 6 } as const

function wholeRow(panel: Panel, box: Box, layout: Layout): string {
  const { edge, type } = layout
  const room = layout.width - 2 * edge
  const samples = panel.ends.map((end) => (end.dash === undefined ? 0 : sample.width + sample.gap))
  const wide = (words: readonly string[]): number[] => words.map((one, i) => textWidth(one, type.label, weightOf(panel.ends[i])))
  const rest = ({ name, unit }: Form): number => room - titleWidth(name, unit, layout) - sum(samples) - gap * samples.length
  const forms = formsOf(panel)
  const form = forms.find((one) => sum(wide(one.words)) <= rest(one)) ?? (forms.at(-1) as Form)
  const widest = widestThatFits(wide(form.words), rest(form))
  const parts = [title(edge, box, form.name, form.unit, layout)]
  let x = edge + titleWidth(form.name, form.unit, layout) + gap
  const y = box.top + type.panel
  panel.ends.forEach((end, i) => {
    if (end.dash !== undefined)
      parts.push(segment(x, y - 8, x + sample.width, y - 8, { stroke: end.color, 'stroke-width': 4, 'stroke-dasharray': end.dash }))
    x += samples[i] as number
    const words = fitted(form.words[i] as string, widest, type.label, weightOf(end))
    parts.push(text(x, y, words, { size: type.label, weight: weightOf(end), color: end.color, rim: true }))
    x += textWidth(words, type.label, weightOf(end)) + gap
  })
  return parts.join('')
}

/** From the most telling to the shortest. */
function formsOf({ title: name, unit, brief, ends }: Panel): Form[] {
  const [full, short] = [ends.map((end) => end.words), ends.map((end) => end.brief ?? end.words)]
  const shorter = { name: brief?.title ?? name, unit: brief?.unit ?? unit }
  return [
    { name, unit: shorter.unit, words: full },
    { ...shorter, words: full },
    { ...shorter, words: short },
    { ...shorter, unit: '', words: short },
  ]
}

const weightOf = (end: EndLabel | undefined): 'semibold' | 'regular' => (end?.strong === true ? 'semibold' : 'regular')

const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0)

/** What is short keeps its width; the others share what is left. */
function widestThatFits(widths: readonly number[], room: number): number {
  let left = room
  const narrowFirst = widths.toSorted((a, b) => a - b)
  for (const [i, width] of narrowFirst.entries()) {
    const share = left / (widths.length - i)
    if (width > share) return share
    left -= width
  }
  return Number.POSITIVE_INFINITY
}
