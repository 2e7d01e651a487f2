/** How much a store holds and for how long. The ledger alone has no end. */
import { HeadwaterError } from '../errors.ts'

export interface StoreLimits {
  /** Inputs of one pipeline that wait; one more is refused, so that its sender comes again. */
  readonly mostWaiting: number
  /** Incidents that a list can show. */
  readonly mostIncidents: number
  /** Inputs set aside; older ones go. */
  readonly mostAside: number
  readonly mostValueBytes: number
  readonly mostBlobBytes: number
  /** How long an input is recognised when it comes again. */
  readonly knownMs: number
  /** "Firing" that comes so soon after "resolved" of the same alert, and was heard before, is a late copy; later it fires again. */
  readonly lateCopyMs: number
  /**
   * Bundles and pictures since they were kept or since the incident that speaks of them last changed, incidents and messages since
   * they last changed.
   */
  readonly keepMs: number
  /** After this long without being dealt with, an input's pipeline is asked to be attended again. */
  readonly askAgainMs: number
  /** Alerts about an open incident are dealt with together, at most so long after the first of them came. */
  readonly togetherMs: number
}

const day = 86_400_000

export const usualLimits: StoreLimits = {
  mostWaiting: 2_000,
  mostIncidents: 10_000,
  mostAside: 1_000,
  mostValueBytes: 1 << 20,
  mostBlobBytes: 32 << 20,
  knownMs: 7 * day,
  lateCopyMs: 60_000,
  keepMs: 30 * day,
  askAgainMs: 60_000,
  togetherMs: 5_000,
}

/** @throws HeadwaterError value_too_large */
export function fitting(text: string, most: number): string {
  refuseTooLarge(Buffer.byteLength(text), most)
  return text
}

/** @throws HeadwaterError value_too_large */
export function refuseTooLarge(bytes: number, most: number): void {
  if (bytes > most) throw new HeadwaterError('value_too_large', `${bytes} bytes do not fit into the store: at most ${most}`)
}

/** @throws HeadwaterError inbox_full */
export function inboxFull(pipeline: string, most: number): HeadwaterError {
  return new HeadwaterError('inbox_full', `${most} inputs of ${pipeline} wait to be dealt with: come again later`)
}
