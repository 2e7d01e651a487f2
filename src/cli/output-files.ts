/**
 * Files a command leaves behind: all of them whole, or none. Each is written under another name beside its place and renamed when
 * all are complete, so that Ctrl-C or a full disk never leaves half a chart.
 */
import { randomBytes } from 'node:crypto'
import { access, constants, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HeadwaterError } from '../errors.ts'

/** Says early, before a long look, that a file could not be written at its end. @throws HeadwaterError file_unwritable */
export async function assertWritable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      await access(dirname(path), constants.W_OK)
    } catch (error) {
      throw unwritable(path, error)
    }
    if ((await stat(path).catch(() => null))?.isDirectory() === true)
      throw new HeadwaterError('file_unwritable', `cannot write ${path}: it is a folder`)
  }
}

/** @param files path → content. @throws HeadwaterError file_unwritable, interrupted */
export async function writeFiles(files: ReadonlyMap<string, string | Uint8Array>, signal: AbortSignal): Promise<void> {
  const staged: { readonly path: string; readonly temporary: string }[] = []
  try {
    for (const [path, content] of files) {
      const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`)
      staged.push({ path, temporary })
      await writeFile(temporary, content, { flag: 'wx' }).catch((error: unknown) => {
        throw unwritable(path, error)
      })
    }
    if (signal.aborted) throw new HeadwaterError('interrupted', 'interrupted')
    for (const { path, temporary } of staged) {
      await rename(temporary, path).catch((error: unknown) => {
        throw unwritable(path, error)
      })
    }
  } finally {
    for (const { temporary } of staged) await rm(temporary, { force: true })
  }
}

function unwritable(path: string, error: unknown): HeadwaterError {
  const { code } = error as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? 'its folder does not exist' : code === 'EACCES' ? 'not allowed' : (error as Error).message
  return new HeadwaterError('file_unwritable', `cannot write ${path}: ${why}`, { cause: error })
}
