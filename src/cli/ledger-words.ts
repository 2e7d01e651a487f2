/** The words of `headwater ledger …` on the command line. */
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { Anchor } from '../signoff/anchor.ts'
import { parseAnchor } from '../signoff/anchor.ts'
import type { Io } from './io.ts'
import type { LedgerExportOptions } from './ledger-export.ts'
import type { LedgerForgetOptions } from './ledger-forget.ts'
import type { LedgerShowOptions } from './ledger-show.ts'
import type { LedgerVerifyOptions } from './ledger-verify.ts'

const configWords = ['--config <file>', 'configuration (default: HEADWATER_CONFIG, else headwater.yaml here)'] as const
const fileWords = ['--file <file>', 'an exported ledger instead of the one in Redis; - is standard input'] as const

/** @param zone reads an IANA zone, or says what is wrong with it */
export function addLedgerCommands(program: Command, zone: (text: string) => string, io: Io, done: (code: number) => void): void {
  const ledger = program.command('ledger').description('who signed what, in a chain that nobody can change unseen')
  ledger
    .command('show')
    .description('the newest entries, newest last')
    .option(...configWords)
    .option(...fileWords)
    .option('--incident <id>', 'only those of one incident')
    .option('--from <number>', 'from this entry on, instead of the newest', whole)
    .option('--last <count>', 'how many at most (default: 20)', whole)
    .option('--names', 'ask Slack what the people are called')
    .option('--zone <zone>', 'IANA zone of times of day (default: that of the configuration, else TZ, else UTC)', zone)
    .action(async (options: LedgerShowOptions) => {
      done(await (await import('./ledger-show.ts')).ledgerShowCommand(options, io))
    })
  ledger
    .command('verify')
    .description('whether the whole chain holds; exit code 3 where it does not')
    .option(...configWords)
    .option(...fileWords)
    .option('--anchor <number:digits>', 'an entry as Slack shows it, e.g. 17:3f9a1c02abcd; may be given several times', anchors)
    .action(async (options: LedgerVerifyOptions) => {
      done(await (await import('./ledger-verify.ts')).ledgerVerifyCommand(options, io))
    })
  ledger
    .command('export')
    .description('the whole ledger as lines of JSON, which verify reads; it names nobody')
    .option(...configWords)
    .option('--out <file>', 'write there instead of to standard output')
    .action(async (options: LedgerExportOptions) => {
      done(await (await import('./ledger-export.ts')).ledgerExportCommand(options, io))
    })
  ledger
    .command('forget')
    .argument('<user>', "Slack's id of a person, e.g. U0123ABCD")
    .description("make the entries of a person nobody's, for good")
    .option(...configWords)
    .option('--yes', 'do it')
    .action(async (user: string, options: LedgerForgetOptions) => {
      done(await (await import('./ledger-forget.ts')).ledgerForgetCommand(user, options, io))
    })
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Write a whole number above 0.')
  return Number(text)
}

function anchors(text: string, before: readonly Anchor[] = []): readonly Anchor[] {
  const found = parseAnchor(text)
  if (found === null) throw new InvalidArgumentError('Write number and at least 12 digits as Slack shows them, e.g. 17:3f9a1c02abcd.')
  return [...before, found]
}
