/** Turns an incident into its messages: judges the frozen evidence again, so that what is told never depends on who tells it. */
import { HeadwaterError } from '../errors.ts'
import type { Incident } from '../incident/incident.ts'
import type { Judged } from '../report/messages/incident/home.ts'
import { wallClock } from '../report/wall-clock.ts'
import type { Wanted } from './incident-ports.ts'
import { wantedMessages } from './wanted-messages.ts'

export interface Teller {
  /** The messages before and after a move; `edition` is the version that `after` will have. */
  readonly wanted: (
    before: Incident | null,
    after: Incident,
    edition: number,
  ) => Promise<{ before: readonly Wanted[]; after: readonly Wanted[] }>
}

export interface TellerPorts {
  /** Bytes of a kept bundle; null = kept no longer. */
  readonly bytes: (key: string) => Promise<Uint8Array | null>
  /** Judges a bundle's bytes. @throws HeadwaterError bundle_mistaken */
  readonly judge: (bundle: Uint8Array) => Judged
  readonly zone: string
}

export function teller({ bytes, judge, zone }: TellerPorts): Teller {
  const clock = wallClock(zone)
  const judged = async (incident: Incident): Promise<Judged | null> => {
    const bundle = incident.verdict === null ? null : await bytes(incident.verdict.bundle)
    try {
      return bundle === null ? null : judge(bundle)
    } catch (error) {
      // Evidence that this version reads no longer: the incident still knows what was concluded from it.
      if (error instanceof HeadwaterError && !error.retryable) return null
      throw error
    }
  }
  return {
    wanted: async (before, after, edition) => {
      const now = await judged(after)
      const same = before !== null && before.verdict?.bundle === after.verdict?.bundle
      const then = before === null ? null : same ? now : await judged(before)
      return {
        before: before === null ? [] : wantedMessages(before, { judged: then, clock, edition: edition - 1 }),
        after: wantedMessages(after, { judged: now, clock, edition }),
      }
    },
  }
}
