/** `headwater ledger verify`: walks the whole chain and says whether it holds, or where it breaks and how. */
import { visible } from '../report/clean.ts'
import { entryCount } from '../report/ledger-table.ts'
import type { Anchor } from '../signoff/anchor.ts'
import { anchorText } from '../signoff/anchor.ts'
import { verify } from '../signoff/verify.ts'
import type { Io } from './io.ts'
import { exitCodes } from './io.ts'
import type { LedgerSource } from './ledger-access.ts'
import { ledgerKey, readLedgerOf } from './ledger-access.ts'

export interface LedgerVerifyOptions extends LedgerSource {
  readonly anchor?: readonly Anchor[]
}

/** @returns 0 it holds, 3 it is broken. @throws HeadwaterError */
export async function ledgerVerifyCommand(options: LedgerVerifyOptions, io: Io): Promise<number> {
  const key = await ledgerKey(options, io)
  const { entries, noted } = await readLedgerOf(options, io)
  const anchors = options.anchor ?? []
  const verification = verify(entries, key, { anchors, noted })
  if (!verification.holds) {
    const { at, how, why } = verification
    io.stdout.write(`The ledger is broken at entry ${at} (${how.replace('_', ' ')}): ${visible(why)}\n`)
    return exitCodes.broken
  }
  const { head } = verification
  const what = head.number === 0 ? 'it is empty' : `${entryCount(head.number)}, head ${anchorText(head)}`
  io.stdout.write(`The ledger holds: ${what}.\n`)
  io.stdout.write(`${anchors.length === 0 ? unanchored : `Checked against ${anchors.map(anchorText).join(', ')}.`}\n`)
  return exitCodes.done
}

const unanchored =
  'Whether its end was cut off only an anchor tells: give the newest "Ledger entry" that Slack shows, e.g. --anchor 17:3f9a1c02abcd'
