/** Text objects and pictures: what most blocks are made of. */
import type { Fields } from '../json.ts'
import { fieldsOf, textOf } from '../json.ts'
import { emoji } from './emoji.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'
import { mrkdwn } from './mrkdwn.ts'
import type { Reader } from './reader.ts'

/** A plain_text or mrkdwn object. */
export function textObject(value: unknown, reader: Reader): Markup {
  const object = fieldsOf(value)
  const text = textOf(object.text)
  if (object.type === 'mrkdwn') return mrkdwn(text, reader, { links: object.verbatim !== true })
  return html`${plain(object)}`
}

/** Words of a text object, without format. */
export function plain(value: unknown): string {
  const object = fieldsOf(value)
  const text = textOf(object.text)
  return object.emoji === false ? text : text.replaceAll(/:([a-z0-9_+-]+):/g, (_, name: string) => emoji(name))
}

/** An image block's or element's picture; what Slack would not show is said. */
export function picture(image: Fields, reader: Reader, kind: 'block' | 'icon'): Markup {
  const alt = textOf(image.alt_text)
  const file = fieldsOf(image.slack_file)
  const id = textOf(file.id) || (/\/(F[A-Z0-9]{8,})\//.exec(textOf(file.url))?.[1] ?? '')
  const url = image.slack_file === undefined ? outside(textOf(image.image_url)) : reader.picture(id)
  if (url === null) return html`<span class="no-picture">No picture: ${alt}</span>`
  return html`<img class="${kind}" src="${url}" alt="${alt}">`
}

/** The page works offline: only pictures of its own and inline ones are loaded. */
function outside(url: string): string | null {
  return /^https?:\/\/(127\.0\.0\.1|localhost)[:/]/.test(url) ? url : null
}

export function optional(value: unknown, draw: (value: unknown) => Markup): Markup {
  return value === undefined || value === null ? nothing : draw(value)
}
