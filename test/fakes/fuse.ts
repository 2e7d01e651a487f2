/** A process that dies at one of its commands to Redis: just before it is sent, or when Redis has done it and nobody hears of it. */
import type { Redis } from 'ioredis'

export interface Fuse {
  readonly blown: () => boolean
  /** How many commands were sent by now. */
  readonly commands: () => number
}

/** @param at number of the deadly command, from 1; from then on no command of this client is sent any more */
export function fuse(redis: Redis, at: number, when: 'before' | 'after'): Fuse {
  const send = redis.sendCommand.bind(redis)
  let count = 0
  let blown = false
  const dead = (): Promise<never> => {
    blown = true
    return Promise.reject(new Error('the process is dead'))
  }
  redis.sendCommand = (...args) => {
    count++
    if (blown || (count === at && when === 'before')) return dead()
    const answer = send(...args)
    return count === at ? Promise.resolve(answer).then(dead) : answer
  }
  return { blown: () => blown, commands: () => count }
}
