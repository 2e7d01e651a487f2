/**
 * A picture on its way to Slack: announced, sent, completed. By our own three calls: the library would send the bot's token along with
 * the bytes, and names the description in a way that keeps files from ever being shown.
 */
import type { WebClient } from '@slack/web-api'
import type { Outcome } from '../workflow/incident-ports.ts'
import { cutString } from './blocks/text.ts'
import { limits } from './limits.ts'
import { outcomeOf, refused, statusFailure } from './outcome.ts'
import { isOfSlack } from './web-client.ts'

export interface UploadPorts {
  readonly web: WebClient
  readonly apiUrl: string | undefined
  readonly timeoutMs: number
}

/** No channel shows it: a message does, by its id. */
export async function upload(png: Uint8Array, title: string, { web, apiUrl, timeoutMs }: UploadPorts): Promise<Outcome<{ file: string }>> {
  const ticket = await outcomeOf(() => web.files.getUploadURLExternal({ filename: 'headwater.png', length: png.length }))
  if (ticket.kind !== 'done') return ticket
  const { upload_url: address, file_id: file } = ticket.value
  if (address === undefined || file === undefined || !isOfSlack(address, apiUrl)) return refused('no_upload_address', false)
  const sent = await outcomeOf(() => post(address, png, timeoutMs))
  if (sent.kind !== 'done') return sent
  if (sent.value !== 200) return statusFailure(sent.value)
  const files: [{ id: string; title: string }] = [{ id: file, title: cutString(title, limits.fileTitle) || 'chart' }]
  const completed = await outcomeOf(() => web.files.completeUploadExternal({ files }))
  return completed.kind === 'done' ? { kind: 'done', value: { file } } : completed
}

async function post(address: string, png: Uint8Array, timeoutMs: number): Promise<number> {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await fetch(address, { method: 'POST', body: Buffer.from(png), headers, redirect: 'error', signal })
  await response.arrayBuffer()
  return response.status
}

/** Slack has no sign that says "ready": its type is filled in once the file can be shown. */
export async function isReady(file: string, web: WebClient): Promise<Outcome<boolean>> {
  const outcome = await outcomeOf(() => web.files.info({ file }))
  return outcome.kind === 'done' ? { kind: 'done', value: outcome.value.file?.mimetype === 'image/png' } : outcome
}
