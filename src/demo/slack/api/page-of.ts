/** Lists that come in pages: `limit` and `cursor`, as Slack hands them out. */
import type { Fields } from '../json.ts'
import { textOf } from '../json.ts'
import type { Answer } from '../methods/method.ts'
import { done, refuse } from '../methods/method.ts'

const MOST = 1_000

/** @param usual how many come where no limit is given */
export function page<T>(items: readonly T[], args: Fields, usual: number, show: (items: readonly T[]) => Fields): Answer {
  const limit = args.limit === undefined || args.limit === 0 ? usual : Number(args.limit)
  if (limit < 1 || limit > MOST) return refuse('invalid_limit')
  const cursor = textOf(args.cursor)
  const from = cursor === '' ? 0 : Number(/^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? Number.NaN)
  if (Number.isNaN(from)) return refuse('invalid_cursor')
  const more = from + limit < items.length
  const next = more ? Buffer.from(`next:${from + limit}`).toString('base64') : ''
  return done({ ...show(items.slice(from, from + limit)), response_metadata: { next_cursor: next }, ...(more ? { has_more: true } : {}) })
}
