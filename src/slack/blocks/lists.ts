/** Evidence, shares and commands: as much of them as there is room for, and how many are left out. */

import { visible } from '../../report/clean.ts'
import type { Block, Command, Item, Part } from '../../report/message.ts'
import { limits } from '../limits.ts'
import type { Piece } from './piece.ts'
import { nothing } from './piece.ts'
import { bullets, elements, lines, preformatted, richText, section } from './rich-text.ts'
import { andMore, fitting } from './room.ts'
import { cut, cutString, length, parts } from './text.ts'

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

export function list({ title, items, left }: Of<'list'>): Piece {
  const all = items.map(said).filter((item) => item.length > 0)
  const above = cutString(title, limits.title)
  if (all.length === 0) return nothing
  return {
    need: Math.min(limits.block, above.length + all.reduce((sum, item) => sum + length(item) + 1, 0) + 30),
    first: false,
    count: 1,
    in: (room) => {
      const fits = fitting(all, length, Math.min(room, limits.block) - above.length, left)
      return [
        richText([
          ...headed(above),
          ...(fits.shown.length === 0 ? [] : [bullets(fits.shown.map((item) => elements(item)))]),
          ...(fits.left === 0 ? [] : [section(elements([andMore(fits.left)]))]),
        ]),
      ]
    },
  }
}

const headed = (title: string) => (title === '' ? [] : [section(elements([title], { bold: true }))])

function said({ text, note }: Item): readonly Part[] {
  const under = note === null ? [] : cut(parts(note), limits.row)
  const over = cut(parts(text), limits.row)
  return under.length === 0 ? over : [...over, '\n', ...under]
}

const barWidth = 10
const longestLabel = 16

/** Bars of a fixed width font: they fit on a phone. */
export function bars({ title, note, rows }: Of<'bars'>): Piece {
  if (rows.length === 0) return nothing
  const above = cutString(note === null ? title : `${title}: ${note}`, limits.row)
  const wide = Math.min(longestLabel, Math.max(...rows.map(({ label }) => visible(label).length)))
  const all = rows.map(({ label, share }) => `${visible(label).slice(0, wide).padEnd(wide)} ${bar(share)} ${percent(share)}`)
  return {
    need: Math.min(limits.block, above.length + all.reduce((sum, line) => sum + line.length + 1, 0)),
    first: false,
    count: 1,
    in: (room) => {
      const { shown, left } = fitting(all, (line) => line.length, Math.min(room, limits.block) - above.length)
      const more = left === 0 ? [] : [andMore(left)]
      return [richText([...headed(above), preformatted([...shown, ...more].join('\n'))])]
    },
  }
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.abs(Number.isFinite(share) ? share : 0)) * barWidth)
  return '█'.repeat(full).padEnd(barWidth, '░')
}

const percent = (share: number): string => (Number.isFinite(share) ? `${share < 0 ? '−' : ''}${Math.round(Math.abs(share) * 100)} %` : '?')

/** Half a command is another command: it is shown whole or counted as left out. */
export function commands({ title, items, left }: Of<'commands'>): Piece {
  const all = items.map(shown).filter((one) => one.command !== '')
  const whole = all.filter((one) => one.command.length <= limits.command)
  const before = left + all.length - whole.length
  const above = cutString(title, limits.title)
  if (all.length === 0 && left === 0) return nothing
  return {
    need: Math.min(limits.block, above.length + whole.reduce((sum, one) => sum + commandLength(one) + 1, 0) + 30),
    first: false,
    count: 1,
    in: (room) => {
      const fits = fitting(whole, commandLength, Math.min(room, limits.block) - above.length, before)
      return [
        richText([
          ...headed(above),
          ...fits.shown.flatMap(({ number, command, expect }) => [
            ...(number === null ? [] : [section(elements([`[${number}]`]))]),
            preformatted(command),
            ...(expect.length === 0 ? [] : [lines(expect.map((line) => elements([`→ ${line}`])))]),
          ]),
          ...(fits.left === 0 ? [] : [section(elements([andMore(fits.left)]))]),
        ]),
      ]
    },
  }
}

function shown({ number, command, expect }: Command): Command {
  return {
    number,
    command: visible(command).trim(),
    expect: expect.map((line) => cutString(line, limits.row)).filter((line) => line !== ''),
  }
}

const commandLength = ({ command, expect }: Command): number => command.length + expect.reduce((sum, line) => sum + line.length + 3, 0)
