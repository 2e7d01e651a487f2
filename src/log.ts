/**
 * What a running service says of itself: one line of JSON for each event. The message is a fixed sentence and everything that varies is
 * a field, so that lines can be counted and searched; whatever is about an incident carries its id. No secret gets out: fields that
 * are called like one are blanked, and the secrets of the configuration are blanked wherever they stand.
 */
import { pino } from 'pino'

/** A text that is written out in the source: anything put together at run time has no end of values, and is refused. */
type Fixed<Text extends string> = Record<never, never> extends Record<Text, 1> ? never : Text

export interface Log {
  readonly info: <Text extends string>(message: Fixed<Text>, fields?: Fields) => void
  readonly warn: <Text extends string>(message: Fixed<Text>, fields?: Fields) => void
  readonly error: <Text extends string>(message: Fixed<Text>, fields?: Fields) => void
  /** The same log, with these fields on every line. */
  readonly about: (fields: Fields) => Log
}

/** Small values; an error under `err` is written with its type, message and stack. */
export type Fields = Readonly<Record<string, unknown>> & { readonly incident?: string }

export interface LogOptions {
  readonly write: (line: string) => void
  readonly level?: 'info' | 'warn' | 'error'
  /** Blanked wherever they stand in a line. */
  readonly secrets?: readonly string[]
}

const blank = '[secret]'
const names = ['password', 'secret', 'token', 'authorization', 'signature', 'cookie', 'botToken', 'appToken', 'signingSecret']

export function createLog({ write, level = 'info', secrets = [] }: LogOptions): Log {
  // Inside a line a secret stands as JSON writes it.
  const hidden = secrets.filter((secret) => secret !== '').map((secret) => JSON.stringify(secret).slice(1, -1))
  const redact = { paths: names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: blank }
  const options = { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'message' }
  const formatters = { level: (label: string) => ({ level: label }) }
  return wrapped(
    pino(
      { ...options, formatters },
      { write: (line: string) => write(hidden.reduce((text, secret) => text.replaceAll(secret, blank), line)) },
    ),
  )
}

function wrapped(logger: pino.Logger): Log {
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    about: (fields) => wrapped(logger.child(fields)),
  }
}
