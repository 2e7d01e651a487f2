/** An entry of the ledger as people see it outside the store: its number and the first digits of its digest. */
import { anchorDigits } from './chain.ts'

export interface Anchor {
  readonly number: number
  /** At least the first `anchorDigits` of the digest, small letters. */
  readonly digest: string
}

/** "17:3f9a1c02abcd", also as Slack writes it: "Ledger entry 17, 3f9a1c02abcd". @returns null = it is none */
export function parseAnchor(text: string): Anchor | null {
  const found = /^\s*(?:ledger entry\s+)?([1-9]\d{0,14})\s*[:,\s]\s*([0-9a-f]{12,64})\s*$/i.exec(text)
  return found === null ? null : { number: Number(found[1]), digest: found[2]!.toLowerCase() }
}

/** 17:3f9a1c02abcd */
export function anchorText({ number, digest }: Anchor): string {
  return `${number}:${digest.slice(0, anchorDigits)}`
}
