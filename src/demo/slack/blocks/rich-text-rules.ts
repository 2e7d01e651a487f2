/** Rich text: sections, lists, quotes and preformatted text, and what stands in them. */
import type { Check, Shape } from './check.ts'
import { byType, flag, list, number, object, string, url, whole, word } from './check.ts'
import { limits } from './limits.ts'
import { id } from './text-rules.ts'

const style = object({
  optional: Object.fromEntries(
    ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'].map((name) => [name, flag]),
  ),
})

function inline(type: string, shape: Shape): Check {
  return object({ required: { type: word(type), ...shape.required }, optional: { style, ...shape.optional } })
}

const text = inline('text', { required: { text: string({ min: 1 }) } })
const link = inline('link', { required: { url: url(limits.button.url) }, optional: { text: string(), unsafe: flag } })

const inlines: Record<string, Check> = {
  text,
  link,
  broadcast: inline('broadcast', { required: { range: word('here', 'channel', 'everyone') } }),
  color: inline('color', { required: { value: string({ min: 1 }) } }),
  channel: inline('channel', { required: { channel_id: string({ min: 1 }) } }),
  date: inline('date', {
    required: { timestamp: number, format: string({ min: 1 }) },
    optional: { url: url(limits.button.url), fallback: string() },
  }),
  emoji: inline('emoji', {
    required: { name: string({ min: 1 }) },
    optional: { unicode: string(), url: string(), skin_tone: whole(1, 6) },
  }),
  team: inline('team', { required: { team_id: string({ min: 1 }) } }),
  user: inline('user', { required: { user_id: string({ min: 1 }) } }),
  usergroup: inline('usergroup', { required: { usergroup_id: string({ min: 1 }) } }),
}

const anyInline = byType(() => inlines)
const section = object({ required: { type: word('rich_text_section'), elements: list(anyInline) } })
const border = { border: whole(0, 1) }

const parts: Record<string, Check> = {
  rich_text_section: section,
  rich_text_list: object({
    required: {
      type: word('rich_text_list'),
      style: word('bullet', 'ordered'),
      elements: list(byType(() => ({ rich_text_section: section }))),
    },
    optional: { indent: whole(0, 8), offset: whole(0, 10_000), ...border },
  }),
  rich_text_quote: object({ required: { type: word('rich_text_quote'), elements: list(anyInline) }, optional: border }),
  rich_text_preformatted: object({
    required: { type: word('rich_text_preformatted'), elements: list(byType(() => ({ text, link }))) },
    optional: { language: string(), ...border },
  }),
}

export const richText: Check = object({
  required: {
    type: word('rich_text'),
    elements: list(
      byType(() => parts),
      { min: 1 },
    ),
  },
  optional: { block_id: id },
})
