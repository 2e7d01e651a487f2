/** The configuration file from disk. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { HeadwaterError } from '../errors.ts'
import type { ConfigReading } from './read-config.ts'
import { readConfig } from './read-config.ts'

/** Looked for in the current folder when neither --config nor HEADWATER_CONFIG names one. */
export const defaultConfigFile = 'headwater.yaml'

/** @throws HeadwaterError config_unreadable when there is no such file or it cannot be read */
export async function loadConfig(file: string, env: Readonly<Record<string, string | undefined>>): Promise<ConfigReading> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new HeadwaterError('config_unreadable', `cannot read the configuration ${file}: ${whyNot(error, file)}`, { cause: error })
  }
  return readConfig(text, { env, folder: dirname(resolve(file)) })
}

function whyNot(error: unknown, file: string): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return file === defaultConfigFile
        ? 'there is no such file here; name another with --config or HEADWATER_CONFIG, or write one as in manifests/headwater.example.yaml'
        : 'there is no such file'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
      return 'not allowed to read it'
    default:
      return (error as Error).message
  }
}
