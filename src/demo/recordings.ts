/** Recorded incidents of a real Kafka + Spark + Delta rig, as bundles beside this file: something to look at without any of them. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Recording {
  /** File name without its endings, e.g. "hot-partition". */
  readonly name: string
  readonly read: () => Promise<Uint8Array>
}

/** @returns the recordings that are shipped, by name; an empty list where none is */
export function recordings(folder: string = join(import.meta.dirname, 'recordings')): Recording[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => /\.json(\.gz)?$/.test(file) && !file.endsWith('.story.json'))
    .sort()
    .map((file) => ({ name: file.replace(/\.json(\.gz)?$/, ''), read: () => readFile(join(folder, file)) }))
}
