/** Uploaded files: a ticket, then bytes, then a file that is not ready to be shown for a while. */
import type { Fields } from '../json.ts'
import { present } from '../json.ts'

export interface StoredFile {
  readonly id: string
  readonly name: string
  /** Bytes, as announced with the ticket. */
  readonly length: number
  readonly ticket: string
  readonly altText: string | null
  bytes: Uint8Array | null
  title: string
  completedAtMs: number | null
  /** From when on a block may show it; null = not completed yet. */
  readyAtMs: number | null
  deleted: boolean
  /** Channel → ts of the message that shares it. */
  readonly shares: Map<string, string>
}

const SIGNATURES: readonly (readonly [string, string, readonly number[]])[] = [
  ['image/png', 'png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', 'jpg', [0xff, 0xd8, 0xff]],
  ['image/gif', 'gif', [0x47, 0x49, 0x46, 0x38]],
]

/** What Slack makes of the bytes: [mimetype, filetype]; null = no picture that a block can show. */
export function pictureType(bytes: Uint8Array | null): readonly [string, string] | null {
  const match = SIGNATURES.find(([, , start]) => start.every((byte, place) => bytes?.[place] === byte))
  return match === undefined ? null : [match[0], match[1]]
}

export function isReady(file: StoredFile, nowMs: number): boolean {
  return !file.deleted && file.readyAtMs !== null && file.readyAtMs <= nowMs
}

/** A block may show it: it is there, processed, and a picture. */
export function isShowable(file: StoredFile | undefined, nowMs: number): boolean {
  return file !== undefined && isReady(file, nowMs) && pictureType(file.bytes) !== null
}

/** As files.info shows it: type and shares stay empty until it is processed. */
export function fileJson(file: StoredFile, at: { readonly base: string; readonly user: string; readonly nowMs: number }): Fields {
  const ready = isReady(file, at.nowMs)
  const [mimetype, filetype] = pictureType(file.bytes) ?? ['application/octet-stream', 'binary']
  const created = Math.floor((file.completedAtMs ?? at.nowMs) / 1000)
  const url = `${at.base}/files-pri/${file.id}/${encodeURIComponent(file.name)}`
  return present({
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: ready ? mimetype : '',
    filetype: ready ? filetype : '',
    pretty_type: ready ? filetype.toUpperCase() : '',
    user: at.user,
    size: file.length,
    mode: 'hosted',
    file_access: 'visible',
    is_external: false,
    is_public: file.shares.size > 0,
    url_private: url,
    url_private_download: url,
    permalink: `${at.base}/files/${at.user}/${file.id}/${encodeURIComponent(file.name)}`,
    alt_txt: file.altText ?? undefined,
    channels: [...file.shares.keys()],
    groups: [],
    ims: [],
    shares:
      ready && file.shares.size > 0 ? { public: Object.fromEntries([...file.shares].map(([channel, ts]) => [channel, [{ ts }]])) } : {},
  })
}
