/** What all parts of the stand-in work with. Made once, in stand-in.ts. */
import type { CallLog } from './api/call-log.ts'
import type { Chance } from './chance.ts'
import type { Clock } from './clock.ts'
import type { FaultScript } from './faults/script.ts'
import type { Fields } from './json.ts'
import type { News } from './news.ts'
import type { Settings } from './settings.ts'
import type { Workspace } from './workspace/workspace.ts'

export interface Backstage {
  readonly settings: Settings
  /** Deadlines, pauses and limits. */
  readonly clock: Clock
  /** Ms since 1970 that messages are dated with: in a demo that runs faster than the machine, another time than the clock's. */
  readonly today: () => number
  readonly chance: Chance
  readonly workspace: Workspace
  readonly faults: FaultScript
  readonly news: News
  readonly calls: CallLog
  /** Own address, e.g. "http://127.0.0.1:4100". */
  readonly base: () => string
  /** Tells the app of an event it has subscribed to; others are dropped. */
  readonly emit: (event: Fields) => void
  /** A fresh one-time address of the Socket Mode server. */
  readonly socketAddress: () => string
}
