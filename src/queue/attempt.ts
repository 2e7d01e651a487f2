/** One go at a job, which ends when the work does or when it is to be handed back, whichever comes first. */
import { canTryAgain } from './trouble.ts'

export type Ending =
  /** `againMs` = when the same job is to be run again, epoch ms; null = it is done. */
  | { readonly kind: 'done'; readonly againMs: number | null }
  | { readonly kind: 'handed_back' }
  /** `again` = trying again can help. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly again: boolean }

/**
 * @param signal aborts when the job is to be handed back: work that does not listen goes on in the background, which does no harm
 *   as every step of it is compared with what stands before it is written
 */
export async function attempt(work: () => Promise<number | null>, signal: AbortSignal): Promise<Ending> {
  const { promise: handedBack, resolve } = Promise.withResolvers<Ending>()
  const handBack = (): void => resolve({ kind: 'handed_back' })
  signal.addEventListener('abort', handBack)
  // Work that is cut off may fail of it, but later than this: it does not count.
  const ending = await Promise.race([endingOf(work), handedBack])
  signal.removeEventListener('abort', handBack)
  return ending
}

async function endingOf(work: () => Promise<number | null>): Promise<Ending> {
  try {
    return { kind: 'done', againMs: await work() }
  } catch (error) {
    return { kind: 'failed', error, again: canTryAgain(error) }
  }
}
