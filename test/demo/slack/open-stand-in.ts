/** A stand-in for one test: time set by hand, nobody told to slow down unless asked for, closed when the test ends. */
import { onTestFinished } from 'vitest'
import type { HandSetClock } from '../../../src/demo/slack/clock.ts'
import { handSetClock } from '../../../src/demo/slack/clock.ts'
import type { Fields } from '../../../src/demo/slack/json.ts'
import type { Options, StandIn } from '../../../src/demo/slack/stand-in.ts'
import { startStandIn } from '../../../src/demo/slack/stand-in.ts'

/** Monday, 30 November 2026, 10:00 UTC. */
export const START_MS = Date.UTC(2026, 10, 30, 10)
export const CHANNEL = 'C0INCIDENTS'

export interface Stand extends StandIn {
  readonly clock: HandSetClock
  /** A call as the SDK makes it: form body, nested values as JSON. */
  readonly call: (method: string, args?: Fields, token?: string) => Promise<Fields>
  readonly request: (method: string, args?: Fields, token?: string) => Promise<Response>
  /** @returns ts of a message of the app */
  readonly post: (args?: Fields) => Promise<string>
}

export async function openStandIn(options: Options = {}): Promise<Stand> {
  const clock = handSetClock(START_MS)
  const standIn = await startStandIn({ clock, rateLimits: false, ...options })
  onTestFinished(() => standIn.close())
  const request = async (method: string, args: Fields = {}, token = standIn.settings.app.botToken): Promise<Response> => {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(args)) body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
    return await fetch(standIn.apiUrl + method, { method: 'POST', headers, body, redirect: 'manual' })
  }
  const call = async (method: string, args?: Fields, token?: string): Promise<Fields> =>
    (await (await request(method, args, token)).json()) as Fields
  const post = async (args: Fields = {}): Promise<string> => {
    const answer = await call('chat.postMessage', { channel: CHANNEL, text: 'hello', ...args })
    return answer.ok === true ? String(answer.ts) : `refused: ${String(answer.error)}`
  }
  return { ...standIn, clock, call, request, post }
}

/** Smallest valid PNG header; enough for a file type. */
export const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1])

/** Uploads and completes. @returns the file's id */
export async function upload(stand: Stand, bytes: Uint8Array = PNG, share: Fields = {}): Promise<string> {
  const ticket = await stand.call('files.getUploadURLExternal', { filename: 'chart.png', length: bytes.length })
  await fetch(String(ticket.upload_url), { method: 'POST', body: Buffer.from(bytes) })
  await stand.call('files.completeUploadExternal', { files: [{ id: ticket.file_id, title: 'Chart' }], ...share })
  return String(ticket.file_id)
}
