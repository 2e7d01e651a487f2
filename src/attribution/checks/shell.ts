/**
 * Read-only commands as words for a shell. Names and addresses are not ours: a bundle may come from anybody, so none of them may end a
 * word, be taken for an option, or lead anywhere but to where a number is read.
 */
import { quoted } from '../../incident/shell-word.ts'

/** `--topic orders`; a value that looks like an option stays with its name. */
export function option(name: string, value: string): string {
  return value.startsWith('-') ? quoted(`${name}=${value}`) : `${name} ${quoted(value)}`
}

/** On another store than a mounted file system: s3a://…, abfss://…, dbfs:/… */
const isRemote = (path: string) => /^[a-z][\w+.-]*:/i.test(path)

const files = (paths: readonly string[]) => paths.map((path) => quoted(path.startsWith('-') ? `./${path}` : path)).join(' ')

/** When files were written, to the second. */
export function timesOf(...paths: string[]): string {
  return paths.some(isRemote) ? `hadoop fs -stat '%y %n' ${files(paths)}` : `ls -l --time-style=full-iso ${files(paths)}`
}

/** The newest files of a folder. */
export function newestIn(folder: string): string {
  return isRemote(folder) ? `hadoop fs -ls -t ${files([folder])} | head -n 4` : `ls -lt ${files([folder])} | head -n 4`
}

export function contentOf(...paths: string[]): string {
  return paths.some(isRemote) ? `hadoop fs -cat ${files(paths)}` : `cat ${files(paths)}`
}
