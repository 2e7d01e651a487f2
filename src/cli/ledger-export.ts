/** `headwater ledger export`: the whole ledger as JSON lines, for an archive or for whoever checks it elsewhere. */
import { entryCount } from '../report/ledger-table.ts'
import { writeLedgerFile } from '../signoff/ledger-file.ts'
import type { Io } from './io.ts'
import { exitCodes } from './io.ts'
import { readLedgerOf } from './ledger-access.ts'
import { assertWritable, writeFiles } from './output-files.ts'

export interface LedgerExportOptions {
  readonly config?: string
  readonly out?: string
}

/** @returns the exit code. @throws HeadwaterError */
export async function ledgerExportCommand({ config, out }: LedgerExportOptions, io: Io): Promise<number> {
  if (out !== undefined) await assertWritable([out])
  const copy = await readLedgerOf(config === undefined ? {} : { config }, io)
  const text = writeLedgerFile(copy)
  if (out === undefined) io.stdout.write(text)
  else await writeFiles(new Map([[out, text]]), io.signal)
  io.stderr.write(`${entryCount(copy.entries.length)}; check: headwater ledger verify --file ${out ?? 'FILE'}\n`)
  return exitCodes.done
}
