/** The page's own addresses. They answer JSON bodies only, so that no other site's form can press a button here. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Wire } from '../api/spoil.ts'
import type { Backstage } from '../backstage.ts'
import type { Receipt } from '../deliver/parcel.ts'
import type { PostOffice } from '../deliver/post-office.ts'
import { typeCommand } from '../interact/command.ts'
import { press } from '../interact/press.ts'
import { say } from '../interact/say.ts'
import type { Values } from '../interact/submit.ts'
import { closeModal, submit } from '../interact/submit.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, parsedJson, textOf } from '../json.ts'
import { isShowable, pictureType } from '../workspace/files.ts'
import type { DemoBar } from './demo-bar.ts'
import { shell } from './shell.ts'
import { sights } from './sights.ts'

/** Nothing from elsewhere is loaded or run, whatever stands in a message. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const ASSETS: Readonly<Record<string, string>> = {
  'page.css': 'text/css',
  'blocks.css': 'text/css',
  'page.js': 'text/javascript',
  'show.js': 'text/javascript',
  'confirm.js': 'text/javascript',
}

export function pageRoutes(stage: Backstage, office: PostOffice, bar: DemoBar): Hono<Wire> {
  const app = new Hono<Wire>()
  app.get('/', (c) => c.html(shell(stage), 200, { 'content-security-policy': POLICY }))
  app.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const type = ASSETS[name]
    if (type === undefined) return c.notFound()
    return c.body(await readFile(join(import.meta.dirname, 'assets', name), 'utf8'), 200, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
    })
  })
  app.get('/archives/:channel/:message', (c) => {
    const ts = c.req.param('message').replace(/^p(\d+)(\d{6})$/, '$1.$2')
    const thread = c.req.query('thread_ts') ?? ''
    return c.redirect(`/?${new URLSearchParams({ channel: c.req.param('channel'), at: ts, thread })}`)
  })
  app.get('/page/file/:file', (c) => {
    const file = stage.workspace.files.get(c.req.param('file'))
    if (!isShowable(file, stage.clock.now())) return c.notFound()
    return c.body(Buffer.from(file!.bytes!), 200, { 'content-type': pictureType(file!.bytes)![0] })
  })
  app.get('/page/sights', (c) => {
    const { user = '', channel = '', thread = '', zone = '' } = c.req.query()
    return c.json(sights(stage, bar, { user, channel, thread, zone }))
  })
  app.get('/page/news', (c) => newsFeed(c, stage))
  app.post('/page/:what', async (c) => {
    if (!(c.req.header('content-type') ?? '').startsWith('application/json')) return c.text('JSON only', 415)
    const act = acts(stage, office, bar)[c.req.param('what')]
    return act === undefined ? c.notFound() : c.json({ trouble: await act(fieldsOf(parsedJson(await c.req.text()))) })
  })
  return app
}

function newsFeed(c: Context<Wire>, stage: Backstage): Response {
  return streamSSE(c, async (stream) => {
    const stop = stage.news.listen(() => void stream.writeSSE({ event: 'changed', data: '' }))
    await stream.writeSSE({ event: 'changed', data: '' })
    await new Promise<void>((gone) => {
      stream.onAbort(() => gone())
    })
    stop()
  })
}

/** What a person can do here. Each answers with what to tell them; null = nothing. */
function acts(stage: Backstage, office: PostOffice, bar: DemoBar): Readonly<Record<string, (body: Fields) => Promise<string | null>>> {
  return {
    type: async (body) => {
      const to = { user: textOf(body.user), channel: textOf(body.channel), threadTs: textOf(body.thread) || null }
      const text = textOf(body.text).trim()
      if (text === '') return null
      if (text.startsWith('/')) await typeCommand(stage, office, { ...to, line: text })
      else if (say(stage, { ...to, text }) === null) return 'You are not in this channel, or it is archived.'
      return null
    },
    press: async (body) => {
      const place = body.ts === null ? null : { channel: textOf(body.channel), ts: textOf(body.ts) }
      const how = {
        user: textOf(body.user),
        in: place,
        on: textOf(body.on),
        block: textOf(body.block),
        values: listOf(body.values).map(String),
      }
      return told(await press(stage, office, how), stage.settings.app.name)
    },
    submit: async (body) => {
      const values: Values = Object.fromEntries(
        Object.entries(fieldsOf(body.values)).map(([name, list]) => [name, listOf(list).map(String)]),
      )
      await submit(stage, office, textOf(body.user), values)
      return null
    },
    close: async (body) => {
      await closeModal(stage, office, textOf(body.user))
      return null
    },
    demo: async (body) => ((await bar.press(textOf(body.id))) ? null : 'This button is gone.'),
  }
}

function told(receipt: Receipt | null, app: string): string | null {
  if (receipt === null) return 'This cannot be pressed any more.'
  return receipt.kind === 'acknowledged' ? null : `⚠️ ${app} is not responding.`
}
