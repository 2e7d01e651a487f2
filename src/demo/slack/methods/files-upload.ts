/** files.getUploadURLExternal, files.completeUploadExternal: announce, send the bytes (api/upload-host.ts), complete. */

import { fileCheck, invalidBlocks } from '../api/content.ts'
import type { Backstage } from '../backstage.ts'
import { withIds } from '../blocks/elements.ts'
import { messageProblems } from '../blocks/validate.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import { putMessage } from '../posting.ts'
import type { Channel } from '../workspace/channels.ts'
import type { StoredFile } from '../workspace/files.ts'
import { fileJson } from '../workspace/files.ts'
import type { Answer, Method } from './method.ts'
import { done, isMember, knownChannel, refuse } from './method.ts'

const MOST_CHANNELS = 100
const MOST_BYTES = 1_073_741_824
const MOST_ALT_TEXT = 1_000

export const filesGetUploadUrlExternal: Method = {
  name: 'files.getUploadURLExternal',
  pace: 4,
  token: 'bot',
  scopes: ['files:write'],
  required: { filename: 'text', length: 'number' },
  optional: { alt_txt: 'text', snippet_type: 'text' },
  run: (args, stage) => {
    const length = Number(args.length)
    if (!Number.isInteger(length) || length <= 0) return refuse('missing_argument')
    if (length > MOST_BYTES) return refuse('file_upload_size_restricted')
    const altText = args.alt_txt === undefined ? null : textOf(args.alt_txt)
    if ((altText?.length ?? 0) > MOST_ALT_TEXT) return refuse('alt_txt_too_large')
    const name = textOf(args.filename)
    const file: StoredFile = {
      id: stage.chance.id('F'),
      name,
      length,
      ticket: stage.chance.id('', 24),
      altText,
      bytes: null,
      title: name,
      completedAtMs: null,
      readyAtMs: null,
      deleted: false,
      shares: new Map(),
    }
    stage.workspace.files.set(file.id, file)
    return done({ upload_url: `${stage.base()}/upload/v1/${file.ticket}`, file_id: file.id })
  },
}

interface Share {
  readonly channels: readonly Channel[]
  readonly threadTs: string | null
  readonly text: string
  readonly blocks: readonly Fields[]
}

function readShare(args: Fields, stage: Backstage): Share | Answer {
  const ids = [...textOf(args.channels).split(','), textOf(args.channel_id)].filter((id) => id !== '')
  if (ids.length > MOST_CHANNELS) return refuse('channels_limit_exceeded')
  const channels: Channel[] = []
  for (const id of ids) {
    const channel = knownChannel(stage, id)
    if (channel === null) return refuse('channel_not_found')
    if (!isMember(stage, channel)) return refuse('not_in_channel')
    channels.push(channel)
  }
  const blocks = args.initial_comment === undefined ? listOf(args.blocks).map(fieldsOf) : []
  const problems = messageProblems(blocks, fileCheck(stage))
  if (problems.length > 0) return invalidBlocks(problems)
  return { channels, threadTs: textOf(args.thread_ts) || null, text: textOf(args.initial_comment), blocks }
}

/** Answers before the file is processed: its type is empty and no message shares it until then. */
export const filesCompleteUploadExternal: Method = {
  name: 'files.completeUploadExternal',
  pace: 4,
  token: 'bot',
  scopes: ['files:write'],
  required: { files: 'json' },
  optional: { channel_id: 'text', channels: 'text', thread_ts: 'text', initial_comment: 'text', blocks: 'json' },
  run: (args, stage) => {
    const asked = listOf(args.files).map(fieldsOf)
    const files = asked.map((one) => stage.workspace.files.get(textOf(one.id)))
    if (files.length === 0 || files.some((file) => file === undefined || file.bytes === null || file.deleted))
      return refuse('file_not_found')
    const share = readShare(args, stage)
    if ('ok' in share) return share
    const nowMs = stage.clock.now()
    const known = files as StoredFile[]
    for (const [place, file] of known.entries()) {
      file.title = textOf(asked[place]!.title) || file.name
      file.completedAtMs = nowMs
      file.readyAtMs ??= nowMs + stage.chance.between(stage.settings.weather.fileReadyMs)
    }
    void shareOnceReady(stage, known, share)
    const at = { base: stage.base(), user: stage.settings.app.botUserId, nowMs }
    return done({ files: known.map((file) => fileJson(file, at)) })
  },
}

/** The message with the files comes after the answer, so later posts can overtake it. With `alt_txt` it never comes (as reported of Slack). */
async function shareOnceReady(stage: Backstage, files: readonly StoredFile[], share: Share): Promise<void> {
  if (share.channels.length === 0) return
  if (files.some((file) => file.altText !== null)) return
  if (stage.faults.strike('files.share', { files: files.map((file) => file.id) })?.kind === 'no_share') return
  const readyAtMs = Math.max(...files.map((file) => file.readyAtMs!))
  if (!(await stage.clock.sleep(Math.max(0, readyAtMs - stage.clock.now())))) return
  const content = { text: share.text, blocks: withIds(share.blocks, stage.chance), attachments: [], metadata: null }
  for (const channel of share.channels) {
    const place = { channel: channel.id, threadTs: share.threadTs, author: { kind: 'app' } as const, files: files.map((file) => file.id) }
    const message = putMessage(stage, place, content)
    for (const file of files) file.shares.set(channel.id, message.ts)
  }
}
