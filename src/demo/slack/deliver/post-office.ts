/** Sends parcels to the app by whichever way it listens, lets them go wrong on the way, and tries events again as Slack does. */
import type { Clock } from '../clock.ts'
import type { FaultScript } from '../faults/script.ts'
import type { Courier, Parcel, Receipt } from './parcel.ts'
import { ACKNOWLEDGE_WITHIN_MS, notAcknowledged } from './parcel.ts'

/** Slack tries an event again at once, after a minute and after five. */
const EVENT_RETRIES_MS = [0, 60_000, 300_000] as const
/** What is overtaken and never followed by anything arrives after so long all the same. */
const LATEST_MS = 60_000

export interface Delivered {
  readonly parcel: Parcel
  readonly atMs: number
  readonly receipt: Receipt
}

export interface PostOffice {
  /** One try. */
  readonly send: (parcel: Parcel) => Promise<Receipt>
  /** Until it is acknowledged or Slack gives up. */
  readonly sendEvent: (parcel: Parcel) => Promise<void>
  readonly delivered: () => readonly Delivered[]
  readonly useCourier: (courier: Courier) => void
}

interface Parts {
  readonly clock: Clock
  readonly faults: FaultScript
}

export function postOffice({ clock, faults }: Parts, first: Courier): PostOffice {
  let courier = first
  let overtaken: (() => void)[] = []
  const log: Delivered[] = []

  const carry = async (parcel: Parcel, torn = false): Promise<Receipt> => {
    const receipt = await courier.carry(parcel, torn)
    log.push({ parcel, atMs: clock.now(), receipt })
    const freed = overtaken
    overtaken = []
    for (const go of freed) go()
    return receipt
  }

  const withFault = async (parcel: Parcel): Promise<Receipt> => {
    const fault = faults.strike(`deliver.${parcel.kind}`, parcel.payload)
    if (fault === null) return await carry(parcel)
    const lost = async (): Promise<Receipt> => {
      await clock.sleep(ACKNOWLEDGE_WITHIN_MS)
      return notAcknowledged('timeout')
    }
    const inTime = async (going: Promise<Receipt>): Promise<Receipt> => await Promise.race([going, lost()])
    switch (fault.kind) {
      case 'drop':
        return await lost()
      case 'late':
        return await inTime(clock.sleep(fault.ms).then(() => carry(parcel)))
      case 'double':
        return (await Promise.all([carry(parcel), carry(parcel)]))[0]
      case 'after_next':
        return await inTime(Promise.race([new Promise<void>((go) => overtaken.push(go)), clock.sleep(LATEST_MS)]).then(() => carry(parcel)))
      case 'lose_ack':
        return (await Promise.all([lost(), carry(parcel)]))[0]
      case 'tear':
        return await carry(parcel, true)
      default:
        return await carry(parcel)
    }
  }

  return {
    send: withFault,
    async sendEvent(parcel) {
      let receipt = await withFault(parcel)
      for (const [place, pauseMs] of EVENT_RETRIES_MS.entries()) {
        if (receipt.kind === 'acknowledged' || receipt.noRetry) return
        if (!(await clock.sleep(pauseMs))) return
        receipt = await withFault({ ...parcel, retry: { num: place + 1, reason: receipt.reason } })
      }
    },
    delivered: () => log,
    useCourier: (next) => {
      courier = next
    },
  }
}
