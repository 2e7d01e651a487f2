/** What "need more" asks for: one of these. What is written beside it is kept for people, never interpreted. */
export type More =
  | { readonly want: 'longer_window' }
  | { readonly want: 'deciding_reading' }
  | { readonly want: 'why_not'; readonly cause: string }

/** As the ledger has it, e.g. "why_not:slow_sink". */
export function moreText(more: More): string {
  return more.want === 'why_not' ? `why_not:${more.cause}` : more.want
}
