/** Who waits for an answer goes first: on a machine that many parts of the service share, those that nobody waits for step back. */
import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the priority of the process, as the operating system sees it; called in a thread: of that thread alone, and only where threads
 * have one (Linux). A system that refuses leaves it as it was: then the answer is slower, not wrong.
 */
export function stepBack(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // As it was.
  }
}
