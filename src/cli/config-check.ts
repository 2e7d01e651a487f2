/** `headwater config check FILE`: every mistake of a configuration at once, with what would be right. */
import { loadConfig } from '../config/load-config.ts'
import { mistakeLine, pathText } from '../config/mistake.ts'
import { missingForService, worthKnowing } from '../config/service.ts'
import { visible } from '../report/clean.ts'
import type { Io } from './io.ts'
import { exitCodes } from './io.ts'

/** @returns 1 when there is any mistake. @throws HeadwaterError config_unreadable */
export async function configCheckCommand(file: string, io: Io): Promise<number> {
  const reading = await loadConfig(file, io.env)
  const { config, mistakes } = reading
  for (const mistake of mistakes) io.stdout.write(`${visible(mistakeLine(file, mistake))}\n`)
  const count = mistakes.length
  if (count > 0) {
    io.stdout.write(`${count} mistake${count === 1 ? '' : 's'} in ${file}\n`)
    return exitCodes.mistake
  }
  const names = config.pipelines.map((pipeline) => pipeline.name)
  io.stdout.write(
    `${file} is right: ${names.length} pipeline${names.length === 1 ? '' : 's'} (${names.join(', ')}), times in ${config.zone}\n`,
  )
  for (const line of config.slack === null ? [] : worthKnowing(reading)) io.stdout.write(`worth knowing: ${visible(line)}\n`)
  const missing = missingForService(reading)
  if (missing.length > 0) io.stdout.write('enough to diagnose on the terminal; headwater serve needs more:\n')
  for (const { path, right } of missing) io.stdout.write(`  ${pathText(path)}: ${right}\n`)
  return exitCodes.done
}
