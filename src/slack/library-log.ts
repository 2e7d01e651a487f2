/** What Slack's libraries have to say, as lines of our log: warnings and errors, without the stacks and bodies they would add. */
import type { Logger } from '@slack/web-api'
import { LogLevel } from '@slack/web-api'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'

const longest = 300

export function libraryLog(log: Log): Logger {
  const says = (words: readonly unknown[]): string =>
    words
      .map((word) => messageOf(word))
      .join(' ')
      .slice(0, longest)
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...words) => log.warn('the library of Slack warns', { says: says(words) }),
    error: (...words) => log.warn('the library of Slack complains', { says: says(words) }),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  }
}
