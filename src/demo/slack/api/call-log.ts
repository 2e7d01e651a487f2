/** Every call of the app to the Web API, for tests that count them. */

import type { Fault } from '../faults/fault.ts'
import type { Fields } from '../json.ts'

export interface LoggedCall {
  readonly method: string
  readonly args: Fields
  readonly atMs: number
  /** Slack's error, "" = ok. Of the work, whatever became of the answer. */
  readonly error: string
  readonly fault: Fault | null
}

export interface CallLog {
  readonly add: (call: LoggedCall) => void
  readonly all: () => readonly LoggedCall[]
  readonly clear: () => void
}

export function callLog(): CallLog {
  let calls: LoggedCall[] = []
  return {
    add: (call) => {
      calls.push(call)
    },
    all: () => calls,
    clear: () => {
      calls = []
    },
  }
}
