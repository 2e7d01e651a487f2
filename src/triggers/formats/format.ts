/**
 * A webhook format: how one kind of sender proves who it is, and what its body says. To add one: a file here that exports a `Format`, a
 * line in index.ts, and its door in `config/webhooks-schema.ts`; the contract suite (test/contract/webhook-format.test.ts) then runs
 * over it. Another way to prove oneself (PagerDuty signs without a time, SNS with a certificate) is another kind of `Proof`, checked in
 * `authenticate.ts`.
 */

export type Proof =
  /** A bearer token, or a user and password, in the Authorization header: for senders that sign nothing. */
  | { readonly kind: 'shared_secret' }
  /** Hex of HMAC-SHA256 over `<unix seconds>:<body as sent>`, beside the same seconds. Header names in lower case. */
  | { readonly kind: 'signature'; readonly header: string; readonly timestampHeader: string }

/** An alert as a sender tells it, already within the bounds of `bound-alert.ts`. */
export interface ReportedAlert {
  readonly status: 'firing' | 'resolved'
  /** The same for the same alert, whoever delivers it and however often. */
  readonly fingerprint: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** First line of what it says; '' = nothing. */
  readonly summary: string
  /** http(s); null = not told. */
  readonly url: string | null
  /**
   * Since when its rule holds, epoch ms. null = not told: then the fingerprint has to tell one episode from the next, or the second
   * is taken for a repetition of the first.
   */
  readonly startsAtMs: number | null
}

export type Reading =
  | {
      readonly kind: 'alerts'
      readonly alerts: readonly ReportedAlert[]
      /** Alerts of the same delivery that the sender left out. */
      readonly omitted: number
    }
  /** One sentence for whoever configures the sender: where, and what would be right. */
  | { readonly kind: 'mistaken'; readonly say: string }

export interface Format {
  /** Its path: /webhooks/<name>. */
  readonly name: string
  readonly proof: Proof
  /** @param body parsed JSON of bounded size and depth */
  readonly parse: (body: unknown) => Reading
}
