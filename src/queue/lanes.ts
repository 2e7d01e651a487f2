/** Each kind of work has a lane of its own pace: a look at a pipeline takes half a minute, and no message may wait behind it. */
import type { JobKind } from '../workflow/incident-ports.ts'

export type Lane = 'quick' | 'slow'
export const laneNames: readonly Lane[] = ['quick', 'slow']

const lanes: Readonly<Record<JobKind, Lane>> = { attend: 'quick', send: 'quick', tick: 'quick', diagnose: 'slow', look: 'slow' }

export function laneOf(kind: JobKind): Lane {
  return lanes[kind]
}

/** Jobs at a time in one process. */
export type AtOnce = Readonly<Record<Lane, number>>
