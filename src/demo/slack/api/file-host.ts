/** Where the bytes of a file go to and come from: upload_url and url_private. */
import { Hono } from 'hono'
import type { Backstage } from '../backstage.ts'
import { isReady, pictureType } from '../workspace/files.ts'
import type { Wire } from './spoil.ts'
import { spoil } from './spoil.ts'

export function fileHost(stage: Backstage): Hono<Wire> {
  const app = new Hono<Wire>()
  app.post('/upload/v1/:ticket', async (c) => {
    const file = [...stage.workspace.files.values()].find((one) => one.ticket === c.req.param('ticket'))
    if (file === undefined) return c.text('not found', 404)
    const fault = stage.faults.strike('upload', { file: file.id })
    const before = await spoil(c, stage, fault, 'nothing')
    if (before !== null) return before
    const bytes = await bodyBytes(c.req.raw)
    if (bytes === null || bytes.length !== file.length) return c.text(`expected ${file.length} bytes`, 400)
    file.bytes = bytes
    return (await spoil(c, stage, fault, 'work')) ?? c.text(`OK - ${bytes.length}`)
  })
  app.get('/files-pri/:file/:name', (c) => {
    const file = stage.workspace.files.get(c.req.param('file'))
    if (c.req.header('authorization') !== `Bearer ${stage.settings.app.botToken}`) return c.redirect('/')
    if (file === undefined || !isReady(file, stage.clock.now())) return c.text('not found', 404)
    return c.body(Buffer.from(file.bytes!), 200, { 'content-type': pictureType(file.bytes)?.[0] ?? 'application/octet-stream' })
  })
  return app
}

/** Raw bytes, or the first file of a multipart body: Slack takes both. */
async function bodyBytes(request: Request): Promise<Uint8Array | null> {
  if (!(request.headers.get('content-type') ?? '').startsWith('multipart/form-data')) return new Uint8Array(await request.arrayBuffer())
  const form = await request.formData().catch(() => new FormData())
  const part = [...form.values()].find((one) => one instanceof File)
  return part === undefined ? null : new Uint8Array(await part.arrayBuffer())
}
