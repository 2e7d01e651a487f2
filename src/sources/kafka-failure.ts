/**
 * What can go wrong when a broker is asked, as values: a kind for the program, a sentence for the engineer on call, and whether
 * asking again a moment later can help. Own requests raise nothing on error codes, so every code passes through `failureOf`.
 */

export type KafkaFailureKind =
  | 'refused'
  | 'unreachable'
  | 'timed-out'
  | 'stopped'
  | 'login'
  | 'certificate'
  | 'forbidden'
  | 'too-old'
  | 'malformed'
  | 'moving'
  | 'leaderless'
  | 'short'
  | 'missing'
  | 'broken'

export interface KafkaFailure {
  readonly kind: KafkaFailureKind
  /** Plain words; no stack, no secrets. */
  readonly sentence: string
  /** Asking again within a second may give the answer (leadership on the move, coordinator loading). */
  readonly retryable: boolean
  /** The broker's own error code, where there was one. */
  readonly code?: number
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: KafkaFailure }

export function failed(
  kind: KafkaFailureKind,
  sentence: string,
  retryable = false,
): { readonly ok: false; readonly failure: KafkaFailure } {
  return { ok: false, failure: { kind, sentence, retryable } }
}

const CODES: Readonly<Record<number, readonly [kind: KafkaFailureKind, words: string, retryable: boolean]>> = {
  [-1]: ['broken', 'the broker reports an internal error', true],
  3: ['missing', 'the broker does not know this topic or partition', true],
  5: ['leaderless', 'no leader', true],
  6: ['moving', 'the leader has just moved', true],
  7: ['broken', 'the broker ran into its own time limit', true],
  8: ['broken', 'the broker is not available', true],
  9: ['moving', 'the replica is not available', true],
  13: ['broken', 'the broker closed the connection', true],
  14: ['moving', 'the group coordinator is still loading', true],
  15: ['moving', 'the group coordinator is not available', true],
  16: ['moving', 'the group coordinator has just moved', true],
  17: ['missing', 'the topic name is not valid', false],
  29: ['forbidden', 'no permission to describe the topic', false],
  30: ['forbidden', 'no permission to describe the group', false],
  31: ['forbidden', 'no permission on the cluster', false],
  35: ['too-old', 'the broker does not support this request', false],
  43: ['too-old', 'the message format is too old to be searched by time', false],
  56: ['broken', 'the broker cannot read its disk for this partition', true],
  69: ['missing', 'the coordinator does not know the group', false],
  74: ['moving', 'the leader has just changed', true],
  75: ['moving', 'the new leader is not ready', true],
  76: ['broken', 'the broker cannot read the compression of these records', false],
  78: ['moving', 'the new leader is not ready to give its log end', true],
  89: ['broken', 'a quota of the cluster holds the answer back', true],
}

/** A non-zero error code as a failure. `what` names the thing asked for, e.g. "partition 3". */
export function failureOf(code: number): KafkaFailure {
  const [kind, words, retryable] = CODES[code] ?? (['broken', `error code ${code} of Kafka`, false] as const)
  return { kind, sentence: words, retryable, code }
}

/** What kafkajs or the socket threw, in words. `address` = "host:port". */
export function failureFrom(cause: unknown, address: string): KafkaFailure {
  const { code, name, message, type } = fieldsOf(cause)
  if (code === 'ECONNREFUSED')
    return plain('refused', `${address} refused the connection: no broker listens there, or it is still starting`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return plain(
      'unreachable',
      `the name of broker ${address} is not known here; brokers are reached under the names they advertise (advertised.listeners)`,
    )
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return plain('unreachable', `broker ${address} cannot be reached from here`)
  if (code === 'ETIMEDOUT' || /timeout|timed out/i.test(message)) return plain('timed-out', `broker ${address} did not answer in time`)
  if (/SASL|authenticat/i.test(`${name} ${type} ${message}`))
    return plain('login', `broker ${address} does not accept the login (SASL user or password)`)
  if (/^ERR_(TLS|SSL)|CERT|SELF_SIGNED|VERIFY/.test(code))
    return plain('certificate', `the certificate of broker ${address} is not trusted here (${code})`)
  if (message === FRAME_TOO_LARGE)
    return {
      kind: 'malformed',
      sentence: `${address} sends frames that no broker sends: is it a Kafka port, and is TLS set as the broker expects it?`,
      retryable: false,
    }
  if (code === 'ECONNRESET' || code === 'EPIPE' || /closed connection|not connected/i.test(`${message} ${name}`)) {
    return {
      kind: 'broken',
      sentence: `broker ${address} closed the connection (restarting, or TLS/SASL settings differ from the broker's)`,
      retryable: true,
    }
  }
  return plain('broken', `broker ${address} could not be read (${code || name || 'unknown error'})`)
}

/** Message of the error with which the connection guard ends a stream that cannot be Kafka's. */
export const FRAME_TOO_LARGE = 'frame size out of bounds'

function plain(kind: KafkaFailureKind, sentence: string): KafkaFailure {
  return { kind, sentence, retryable: false }
}

function fieldsOf(cause: unknown): { code: string; name: string; message: string; type: string } {
  const fields = typeof cause === 'object' && cause !== null ? (cause as Record<string, unknown>) : {}
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const inner = fields.cause
  const code = text(fields.code) || (typeof inner === 'object' && inner !== null ? text((inner as Record<string, unknown>).code) : '')
  return {
    code,
    name: text(fields.name),
    message: text(fields.message).replace(/^Connection error: /, ''),
    type: text(fields.type),
  }
}
