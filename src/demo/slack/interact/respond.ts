/** What an app says to the person who asked: in the acknowledgement of a slash command, or through response_url. */
import { Hono } from 'hono'
import { isEmpty, readContent } from '../api/content.ts'
import type { RateLimit } from '../api/rate-limit.ts'
import { rateLimit } from '../api/rate-limit.ts'
import type { Wire } from '../api/spoil.ts'
import { spoil } from '../api/spoil.ts'
import type { Backstage } from '../backstage.ts'
import { limits } from '../blocks/limits.ts'
import type { Fields } from '../json.ts'
import { isFields, parsedJson, textOf } from '../json.ts'
import { changeMessage, putMessage, removeMessage } from '../posting.ts'
import type { Message } from '../workspace/messages.ts'
import type { ResponseUrl } from '../workspace/triggers.ts'
import { useResponseUrl } from '../workspace/triggers.ts'

type To = Pick<ResponseUrl, 'user' | 'channel' | 'original' | 'threadTs'>

/** @returns Slack's error; null = done */
export function respond(stage: Backstage, to: To, said: Fields): string | null {
  const original = to.original === null ? null : originalOf(stage, to)
  if (said.delete_original === true) {
    if (original !== null) removeMessage(stage, original)
    return null
  }
  const content = readContent(said, stage, { mostText: limits.postText, cut: true })
  if ('refusal' in content) return textOf(content.refusal.error)
  if (isEmpty(content)) return 'no_text'
  const { text, blocks, attachments } = content
  if (said.replace_original === true && original !== null) {
    changeMessage(stage, original, { text: text ?? '', blocks: blocks ?? [], attachments: attachments ?? [], metadata: content.metadata })
    return null
  }
  const threadTs = textOf(said.thread_ts) || to.threadTs
  const onlyFor = said.response_type === 'in_channel' ? null : to.user
  const whole = { text: text ?? '', blocks: blocks ?? [], attachments: attachments ?? [], metadata: content.metadata }
  putMessage(stage, { channel: to.channel, threadTs, author: { kind: 'app' }, onlyFor }, whole)
  return null
}

/** An ephemeral one too: this is the only way to reach it. */
function originalOf(stage: Backstage, to: To): Message | null {
  return (
    stage.workspace.messages.find((one) => one.channel === to.channel && one.ts === to.original?.ts && one.deletedAtMs === null) ?? null
  )
}

export function responseUrls(stage: Backstage): Hono<Wire> {
  const pace = rateLimit()
  const app = new Hono<Wire>()
  app.post('/response/:key', async (c) => {
    const url = stage.workspace.responseUrls.get(c.req.param('key'))
    if (url === undefined) return c.text('no_service', 404)
    const said = parsedJson(await c.req.text())
    const fault = stage.faults.strike('response_url', isFields(said) ? said : {})
    if (fault?.kind === 'rate_limit' || tooFast(stage, pace, url)) return c.text('rate_limited', 429, { 'retry-after': '1' })
    const before = await spoil(c, stage, fault, 'nothing')
    if (before !== null) return before
    if (!isFields(said)) return c.text('invalid_payload', 400)
    const spent = useResponseUrl(url, stage.clock.now())
    if (spent !== null) return c.json({ ok: false, error: spent }, 404)
    const error = respond(stage, url, said)
    const after = await spoil(c, stage, fault, 'work')
    if (after !== null) return after
    return error === null ? c.text('ok') : c.text(error, 400)
  })
  return app
}

function tooFast(stage: Backstage, pace: RateLimit, url: ResponseUrl): boolean {
  return stage.settings.rateLimits && pace.take('response_url', 'post', url.channel, stage.clock.now()) > 0
}
