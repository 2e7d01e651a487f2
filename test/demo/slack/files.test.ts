/** The way of a picture: ticket, bytes, completion, and a share that comes later or never. */
import { expect, test } from 'vitest'
import { CHANNEL, openStandIn, PNG, upload } from './open-stand-in.ts'

const seconds = (count: number): readonly [number, number] => [count * 1_000, count * 1_000]

test('bytes are taken raw or as multipart; another number of bytes than announced is not', async () => {
  const stand = await openStandIn()
  const ticket = async (): Promise<string> =>
    String((await stand.call('files.getUploadURLExternal', { filename: 'a.png', length: PNG.length })).upload_url)
  const form = new FormData()
  form.append('body', new Blob([PNG]), 'Untitled')
  expect((await fetch(await ticket(), { method: 'POST', body: Buffer.from(PNG) })).status).toBe(200)
  expect((await fetch(await ticket(), { method: 'POST', body: form })).status).toBe(200)
  expect((await fetch(await ticket(), { method: 'POST', body: '[object FormData]' })).status).toBe(400)
})

test('the answer to an upload is lost: the bytes are there all the same', async () => {
  const stand = await openStandIn()
  const { upload_url: url, file_id: id } = await stand.call('files.getUploadURLExternal', { filename: 'a.png', length: PNG.length })
  stand.faults.add({ on: 'upload', fault: { kind: 'cut', after: 'work' } })
  await expect(fetch(String(url), { method: 'POST', body: Buffer.from(PNG) })).rejects.toThrow()
  expect(await stand.call('files.completeUploadExternal', { files: [{ id }] })).toMatchObject({ ok: true })
})

test('completing a file whose bytes never came is refused', async () => {
  const stand = await openStandIn()
  const { file_id: id } = await stand.call('files.getUploadURLExternal', { filename: 'a.png', length: 5 })
  expect(await stand.call('files.completeUploadExternal', { files: [{ id }] })).toMatchObject({ error: 'file_not_found' })
})

test('a share arrives after the answer, so that a later post overtakes it', async () => {
  const stand = await openStandIn({ weather: { historyLagMs: [0, 0], fileReadyMs: seconds(5) } })
  const file = await upload(stand, PNG, { channel_id: CHANNEL, initial_comment: 'the chart' })
  const later = await stand.post()
  expect(stand.observer.messages(CHANNEL).map((one) => one.ts)).toEqual([later])
  await stand.clock.advance(5_000)
  const [, shared] = stand.observer.messages(CHANNEL)
  expect(shared).toMatchObject({ files: [file], now: { text: 'the chart' } })
  expect(await stand.call('files.info', { file })).toMatchObject({ file: { shares: { public: { [CHANNEL]: [{ ts: shared!.ts }] } } } })
})

test.each([
  ['by the script', { on: 'files.share', fault: { kind: 'no_share' } } as const, {}],
  ['because of alt_txt, as people report', null, { alt_txt: 'a chart' }],
])('a share never lands %s, though the answer is ok', async (_, rule, more) => {
  const stand = await openStandIn()
  if (rule !== null) stand.faults.add(rule)
  const ticket = await stand.call('files.getUploadURLExternal', { filename: 'a.png', length: PNG.length, ...more })
  await fetch(String(ticket.upload_url), { method: 'POST', body: Buffer.from(PNG) })
  const answer = await stand.call('files.completeUploadExternal', { files: [{ id: ticket.file_id }], channel_id: CHANNEL })
  expect(answer.ok).toBe(true)
  await stand.clock.advance(60_000)
  expect(stand.observer.messages(CHANNEL)).toEqual([])
})

test('a deleted file, and one that is no picture, cannot be shown', async () => {
  const stand = await openStandIn()
  const show = async (id: string): Promise<unknown> =>
    (await stand.call('chat.postMessage', { channel: CHANNEL, blocks: [{ type: 'image', alt_text: 'x', slack_file: { id } }] })).error
  const text = await upload(stand, new TextEncoder().encode('no picture at all'))
  const picture = await upload(stand)
  expect(await show(text)).toBe('invalid_blocks')
  expect(await show(picture)).toBeUndefined()
  await stand.call('files.delete', { file: picture })
  expect(await show(picture)).toBe('invalid_blocks')
  expect(await stand.call('files.info', { file: picture })).toMatchObject({ error: 'file_deleted' })
})

test('a picture may be named by its address, which only the app can read', async () => {
  const stand = await openStandIn()
  const id = await upload(stand)
  const { file } = (await stand.call('files.info', { file: id })) as { file: { url_private: string } }
  const blocks = [{ type: 'image', alt_text: 'x', slack_file: { url: file.url_private } }]
  expect(await stand.call('chat.postMessage', { channel: CHANNEL, blocks })).toMatchObject({ ok: true })
  const asApp = await fetch(file.url_private, { headers: { authorization: `Bearer ${stand.settings.app.botToken}` } })
  expect(new Uint8Array(await asApp.arrayBuffer())).toEqual(PNG)
  expect((await fetch(file.url_private, { redirect: 'manual' })).status).toBe(302)
})
