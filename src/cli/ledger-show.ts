/** `headwater ledger show`: who decided what, when, about which incident; newest last. */
import { createLog } from '../log.ts'
import { visible } from '../report/clean.ts'
import { entryCount, ledgerTable } from '../report/ledger-table.ts'
import { wallClock } from '../report/wall-clock.ts'
import { anchorText } from '../signoff/anchor.ts'
import { personCommitment } from '../signoff/chain.ts'
import type { Entry } from '../signoff/ledger.ts'
import type { Found } from '../signoff/verify.ts'
import { namesOf } from '../slack/names.ts'
import type { Io } from './io.ts'
import { complain, exitCodes } from './io.ts'
import type { LedgerSource, Salted } from './ledger-access.ts'
import { readLedgerOf, sections, zoneOf } from './ledger-access.ts'

export interface LedgerShowOptions extends LedgerSource {
  readonly incident?: string
  /** Number of the first entry. */
  readonly from?: number
  readonly last?: number
  readonly names?: boolean
  readonly zone?: string
}

/** Entries shown where nobody says how many. */
export const usualLast = 20

/** @returns the exit code. @throws HeadwaterError */
export async function ledgerShowCommand(options: LedgerShowOptions, io: Io): Promise<number> {
  const { entries: found, salts } = await readLedgerOf(options, io)
  const { incident, from, last = usualLast } = options
  const meant = found.filter((one): one is Entry => one !== null && (incident === undefined || one.incident === incident))
  const rest = meant.filter((one) => one.number >= (from ?? 1))
  const shown = from === undefined ? rest.slice(-last) : rest.slice(0, last)
  const clock = wallClock(await zoneOf(options.zone, options, io))
  const person = await people(shown, salts, options, io)
  if (shown.length > 0) io.stdout.write(`${ledgerTable(shown, { clock, person }).map(visible).join('\n')}\n`)
  io.stdout.write(`${footer(found, meant.length, shown, from)}\n`)
  return exitCodes.done
}

function footer(found: readonly Found[], meant: number, shown: readonly Entry[], from: number | undefined): string {
  if (found.length === 0) return 'The ledger is empty: nothing was proposed or signed yet.'
  const newest = found.at(-1) ?? null
  const head = newest === null ? 'cannot be read' : `is ${visible(anchorText(newest))}`
  const count = shown.length === meant ? entryCount(meant) : `${shown.length} of ${entryCount(meant)}`
  return `${count}${onward(meant, shown, from)}. The head ${head}; headwater ledger verify tells whether all of it holds.`
}

function onward(meant: number, shown: readonly Entry[], from: number | undefined): string {
  if (shown.length === meant) return ''
  if (from === undefined) return ' (earlier ones: --from 1)'
  const last = shown.at(-1)
  return last === undefined ? '' : ` (more: --from ${last.number + 1})`
}

/** Ids by commitment, with their names where these are wanted and Slack says them. */
async function people(
  shown: readonly Entry[],
  salts: readonly Salted[],
  options: LedgerShowOptions,
  io: Io,
): Promise<(commitment: string) => string | null> {
  const users = new Map(salts.map(({ person, salt }) => [personCommitment(person, salt), person.user]))
  const ids = (commitment: string): string | null => users.get(commitment) ?? null
  if (options.names !== true) return ids
  const { slack } = await sections(options, io, ['slack'])
  const wanted = [...new Set(shown.map(({ who }) => ids(who)).filter((user) => user !== null))]
  const silent = createLog({ write: () => undefined })
  const { names, why } = await namesOf(wanted, { botToken: slack.botToken, apiUrl: io.env.HEADWATER_SLACK_API_URL, log: silent })
  if (why !== null) complain(io, `Slack does not say every name: ${why}`)
  return (commitment) => {
    const user = ids(commitment)
    const name = user === null ? undefined : names.get(user)
    return name === undefined ? user : `${name} (${user})`
  }
}
