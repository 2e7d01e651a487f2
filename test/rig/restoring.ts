// What a drill changed is put back however the drill ends.
import { constants } from 'node:os'

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs `work`, then `restore`: after a result, an error, Ctrl-C, TERM (`rig down`), a closed terminal, or an exit from
 * anywhere else. `restore` must do its work at once, without waiting. Only kill -9 passes it by: see `thaw`.
 */
export async function restoring<T>(restore: () => void, work: () => Promise<T>): Promise<T> {
  // ends by way of the exit handler, so that there is one way only
  const ended = (name: NodeJS.Signals): never => process.exit(128 + constants.signals[name])
  process.once('exit', restore)
  for (const name of ENDINGS) process.once(name, ended)
  try {
    return await work()
  } finally {
    process.off('exit', restore)
    for (const name of ENDINGS) process.off(name, ended)
    restore()
  }
}
