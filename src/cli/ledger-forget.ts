/** `headwater ledger forget <user>`: makes the entries of a person nobody's, for good. */
import { HeadwaterError } from '../errors.ts'
import { entryCount } from '../report/ledger-table.ts'
import { personCommitment } from '../signoff/chain.ts'
import { usualLimits } from '../store/limits.ts'
import { readLedger, readSalts } from '../store/redis-ledger.ts'
import { redisStore } from '../store/redis-store.ts'
import { forget } from '../workflow/forget.ts'
import type { Io } from './io.ts'
import { exitCodes } from './io.ts'
import { ledgerKey, withRedis } from './ledger-access.ts'

export interface LedgerForgetOptions {
  readonly config?: string
  readonly yes?: boolean
}

const keptDays = Math.round(usualLimits.keepMs / 86_400_000)

/** @returns the exit code. @throws HeadwaterError usage when the ledger knows nobody of this id, or nobody said --yes */
export async function ledgerForgetCommand(user: string, options: LedgerForgetOptions, io: Io): Promise<number> {
  const key = await ledgerKey(options, io)
  return withRedis(options, io, async (redis, prefix) => {
    const salts = (await readSalts(redis, prefix)).filter(({ person }) => person.user === user)
    if (salts.length === 0)
      throw new HeadwaterError('usage', `the ledger knows nobody called "${user}"; write Slack's id of the person, e.g. U0123ABCD`)
    const commitments = new Set(salts.map(({ person, salt }) => personCommitment(person, salt)))
    const theirs = (await readLedger(redis, prefix)).entries.filter((one) => one !== null && commitments.has(one.who)).length
    const what = `${entryCount(theirs)} of ${user}`
    if (options.yes !== true) {
      const warning = `${what} would become nobody's, for good, and so would all that ${user} signs later; say it again with --yes`
      throw new HeadwaterError('usage', warning)
    }
    const store = redisStore(redis, prefix)
    for (const { person } of salts) await forget(person, theirs, Date.now(), { store, ledgerKey: key })
    io.stdout.write(`${what} are nobody's now, and the ledger says that it was done.\n`)
    io.stdout.write(`Not erased by this: messages in Slack, reasons as they were typed, and incidents of the last ${keptDays} days.\n`)
    return exitCodes.done
  })
}
