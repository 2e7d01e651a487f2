/** files.info, files.delete. */
import type { Backstage } from '../backstage.ts'
import { textOf } from '../json.ts'
import type { StoredFile } from '../workspace/files.ts'
import { fileJson } from '../workspace/files.ts'
import type { Method } from './method.ts'
import { done, refuse } from './method.ts'

function completed(stage: Backstage, id: unknown): StoredFile | { readonly error: string } {
  const file = stage.workspace.files.get(textOf(id))
  if (file === undefined || file.completedAtMs === null) return { error: 'file_not_found' }
  return file.deleted ? { error: 'file_deleted' } : file
}

/** The way to learn whether a file may be shown: `mimetype` is empty until then. */
export const filesInfo: Method = {
  name: 'files.info',
  pace: 4,
  token: 'bot',
  scopes: ['files:read'],
  required: { file: 'text' },
  optional: {},
  run: (args, stage) => {
    const file = completed(stage, args.file)
    if ('error' in file) return refuse(file.error)
    const at = { base: stage.base(), user: stage.settings.app.botUserId, nowMs: stage.clock.now() }
    return done({ file: fileJson(file, at), comments: [], response_metadata: { next_cursor: '' } })
  },
}

export const filesDelete: Method = {
  name: 'files.delete',
  pace: 3,
  token: 'bot',
  scopes: ['files:write'],
  required: { file: 'text' },
  optional: {},
  run: (args, stage) => {
    const file = completed(stage, args.file)
    if ('error' in file) return refuse(file.error)
    file.deleted = true
    stage.news.tell()
    return done()
  },
}
