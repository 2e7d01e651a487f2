/**
 * Every way in which Headwater itself gives up, as a code. `retryable` says whether trying the same again can help, so that
 * whoever runs the work (a person today, a queue later) need not read messages. What cannot be *seen* is no error: it is a gap.
 */
const codes = {
  /** The command line asks for something that does not exist. */
  usage: { retryable: false },
  config_unreadable: { retryable: false },
  config_mistaken: { retryable: false },
  /** Not a bundle, or a bundle with a wrong type in it. */
  bundle_mistaken: { retryable: false },
  /** Larger than this program is willing to hold. */
  bundle_too_large: { retryable: false },
  /** Not a ledger, or of another version. */
  ledger_mistaken: { retryable: false },
  file_unreadable: { retryable: false },
  file_unwritable: { retryable: true },
  /** Ctrl-C, or a caller that no longer waits. */
  interrupted: { retryable: true },
  /** Others kept changing the same thing. */
  contended: { retryable: true },
  /** Something that this program itself rules out. */
  internal: { retryable: false },
  /** A port that somebody else has, or an address that is none of ours. */
  address_taken: { retryable: true },
  /** Redis does not answer, or says that it cannot write now. Whether the step was taken is not known: every step may be repeated. */
  store_unavailable: { retryable: true },
  /** Written by a newer program: a process of that version can go on with it. */
  store_newer: { retryable: true },
  /** What stands in the store is not what this program writes there, or Redis refuses the command itself. */
  store_mistaken: { retryable: false },
  /** More inputs of one pipeline wait than the store holds: whoever sent this should come again. */
  inbox_full: { retryable: true },
  value_too_large: { retryable: false },
  /** The queue takes no jobs now. */
  queue_unavailable: { retryable: true },
  /** A token that Slack does not take, or that is for another workspace. */
  slack_refused: { retryable: false },
} as const

export type ErrorCode = keyof typeof codes

export class HeadwaterError extends Error {
  override readonly name = 'HeadwaterError'
  readonly code: ErrorCode

  /** @param message one sentence for the person who asked, with the path or name it is about */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  get retryable(): boolean {
    return codes[this.code].retryable
  }
}

/** Why an address cannot be listened at, as whoever starts a process would say it. */
const whyNotThere: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program, perhaps another Headwater, listens there already',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
}

/**
 * @param what would be served there, e.g. "health and metrics"
 * @param change what to do, e.g. the setting that names the address
 */
export function cannotListen(
  { host, port }: { readonly host: string; readonly port: number },
  what: string,
  change: string,
  cause: unknown,
): HeadwaterError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const why = whyNotThere[code] ?? messageOf(cause)
  return new HeadwaterError('address_taken', `cannot serve ${what} at ${at}: ${why}; ${change}`, { cause })
}

/** What anything thrown has to say, in one line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return message.split('\n', 1)[0]!.trim()
}
