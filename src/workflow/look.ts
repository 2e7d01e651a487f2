/**
 * One look of one source under its deadline. When time is up the source is told (its signal aborts) and has a moment to bring home
 * what it read; a source that does not come back is cut off, and what it would have told is a gap with that reason.
 */
import { messageOf } from '../errors.ts'
import type { Gap } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Clock } from './clock.ts'
import type { Question } from './ports.ts'

/** From the end of the deadline to the cut: enough to close sockets and sort what was read, ms. */
export const graceMs = 400

/** What one look brought and what it took. */
export interface Look {
  readonly findings: Findings
  /** 1 = first look, 2 = second look. */
  readonly turn: 1 | 2
  readonly seconds: number
  /** The deadline ended it: the findings are partial, or none. */
  readonly late: boolean
  /** What the deadline cost, where the source itself does not say so. */
  readonly gap: Gap | null
}

export interface LookOrder {
  readonly source: string
  readonly turn: 1 | 2
  readonly limitMs: number
  readonly ask: (question: Question) => Promise<Findings>
}

/** Never rejects, whatever the source does. */
export async function look(order: LookOrder, question: Question, clock: Clock): Promise<Look> {
  const begin = clock.nowMs()
  const limit = new AbortController()
  const done = new AbortController()
  const caller = () => limit.abort()
  question.signal.addEventListener('abort', caller)
  if (question.signal.aborted) limit.abort()
  let home = false
  const own: Question = {
    ...question,
    signal: limit.signal,
    progress: (line) => {
      if (!home) question.progress(line)
    },
  }
  const cut = clock.wait(order.limitMs, AbortSignal.any([done.signal, question.signal])).then(async () => {
    if (home) return null
    limit.abort()
    await clock.wait(graceMs, done.signal)
    return null
  })
  const found = await Promise.race([ask(order, own), cut])
  home = true
  const late = limit.signal.aborted
  done.abort()
  question.signal.removeEventListener('abort', caller)
  const took = (clock.nowMs() - begin) / 1000
  const gap = found === null ? tooSlow(order, question) : late && found.gaps.length === 0 && order.turn === 1 ? partial(order) : null
  return { findings: found ?? emptyFindings(order.source), turn: order.turn, seconds: took, late, gap }
}

async function ask(order: LookOrder, question: Question): Promise<Findings> {
  try {
    return await order.ask(question)
  } catch (error) {
    const gap = { source: order.source, signal: null, reason: `could not be looked at: ${messageOf(error)}` }
    return emptyFindings(order.source, { gaps: [gap] })
  }
}

/** A source that was stopped and says nothing about it would pass partial findings off as all there is. */
function partial(order: LookOrder): Gap {
  return { source: order.source, signal: null, reason: `only part was read before its ${seconds(order.limitMs)} were over`, mend: longer }
}

/** How to give a look more time. */
export const longer = 'headwater diagnose … --deadline 30'

function tooSlow(order: LookOrder, question: Question): Gap {
  const which = order.turn === 1 ? '' : 'its second look: '
  if (question.signal.aborted) return { source: order.source, signal: null, reason: `${which}stopped by the caller` }
  return { source: order.source, signal: null, reason: `${which}no answer within ${seconds(order.limitMs)}`, mend: longer }
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`
}
