/** How each connection to Redis behaves, whichever room opens it. */

/** Ms: to connect, and longest pause between two tries to connect. */
const limitMs = { connect: 5_000, pause: 1_000 } as const

/** Tries to connect again for as long as it is open, soon at first. */
export const patient = {
  connectTimeout: limitMs.connect,
  retryStrategy: (tries: number): number => Math.min(50 * 2 ** tries, limitMs.pause),
} as const

/**
 * For whoever must be told now: a command that cannot be sent fails at once, and none is sent twice by itself. Connects when asked to.
 * @param answerMs longest wait for one answer
 */
export function failingAtOnce(answerMs: number) {
  return {
    ...patient,
    lazyConnect: true,
    commandTimeout: answerMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  } as const
}
