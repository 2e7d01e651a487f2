/** The content of a message as chat.* and response_url take it, checked as Slack does. */
import type { Backstage } from '../backstage.ts'
import type { Problem } from '../blocks/check.ts'
import { limits } from '../blocks/limits.ts'
import { textLength } from '../blocks/text-length.ts'
import type { FileCheck } from '../blocks/validate.ts'
import { messageProblems } from '../blocks/validate.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, isFields, listOf, textOf } from '../json.ts'
import type { Answer } from '../methods/method.ts'
import { refuse } from '../methods/method.ts'
import type { Content } from '../posting.ts'
import { isShowable } from '../workspace/files.ts'

/** A file may be named by its id or by an address that holds it. */
export function fileCheck(stage: Backstage): FileCheck {
  return (file) => {
    const id = textOf(file.id) || (/\/(F[A-Z0-9]{8,})\//.exec(textOf(file.url))?.[1] ?? '')
    return isShowable(stage.workspace.files.get(id), stage.clock.now())
  }
}

/** Slack's answer to blocks it does not take. */
export function invalidBlocks(problems: readonly Problem[], root = '/blocks', error = 'invalid_blocks'): Answer {
  const errors = problems.map(({ message, pointer }) => `${message} [json-pointer:${root}${pointer}]`)
  return refuse(error, { errors, response_metadata: { messages: errors.map((one) => `[ERROR] ${one}`) } })
}

/**
 * @param mostText characters of `text`: more are refused where `cut` is false, else cut off
 * @returns the parts that were sent (null = not sent), or Slack's refusal
 */
export function readContent(
  args: Fields,
  stage: Backstage,
  { mostText, cut }: { readonly mostText: number; readonly cut: boolean },
): { readonly [part in keyof Content]: Content[part] | null } | { readonly refusal: Answer } {
  const no = (refusal: Answer): { refusal: Answer } => ({ refusal })
  if (args.markdown_text !== undefined) return readMarkdown(args)
  const text = args.text === undefined ? null : escapeStray(textOf(args.text))
  if (text !== null && text.length > mostText && !cut) return no(refuse('msg_too_long'))
  if (args.attachments !== undefined && !Array.isArray(args.attachments)) return no(refuse('invalid_attachments'))
  if (args.blocks !== undefined && !Array.isArray(args.blocks)) return no(refuse('invalid_blocks_format'))
  const attachments = args.attachments === undefined ? null : listOf(args.attachments).map(fieldsOf)
  if ((attachments?.length ?? 0) > limits.attachments) return no(refuse('too_many_attachments'))
  const files = fileCheck(stage)
  for (const [place, one] of (attachments ?? []).entries()) {
    const inside = one.blocks === undefined ? [] : messageProblems(one.blocks, files)
    if (inside.length > 0) return no(invalidBlocks(inside, `/attachments/${place}/blocks`))
  }
  const blocks = args.blocks === undefined ? null : listOf(args.blocks).map(fieldsOf)
  const problems = blocks === null ? [] : messageProblems(args.blocks, files)
  if (problems.length > 0) return no(invalidBlocks(problems))
  if (blocks !== null && textLength(blocks) > limits.charactersInMessage) return no(refuse('msg_blocks_too_long'))
  const metadata = readMetadata(args.metadata)
  if (typeof metadata === 'string') return no(refuse(metadata))
  return { text, blocks, attachments, metadata }
}

/** markdown_text stands alone; it becomes a markdown block. */
function readMarkdown(args: Fields): ReturnType<typeof readContent> {
  const markdown = textOf(args.markdown_text)
  if (args.blocks !== undefined || args.text !== undefined) return { refusal: refuse('markdown_text_conflict') }
  if (markdown.length > limits.markdown) return { refusal: refuse('msg_too_long') }
  return { text: markdown, blocks: [{ type: 'markdown', text: markdown }], attachments: null, metadata: null }
}

/** @returns the metadata; null = none was sent; a text = Slack's error */
function readMetadata(sent: unknown): Fields | null | string {
  if (sent === undefined) return null
  if (!isFields(sent)) return 'invalid_metadata_format'
  const { event_type: type, event_payload: payload } = sent
  if (typeof type !== 'string' || type === '' || !isFields(payload)) return 'invalid_metadata_schema'
  const flat = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
  const allowed = Object.values(payload).every((value) => flat(value) || (isFields(value) && Object.values(value).every(flat)))
  if (!allowed) return 'invalid_metadata_schema'
  return JSON.stringify(sent).length > limits.metadataBytes ? 'metadata_too_large' : { event_type: type, event_payload: payload }
}

/** Slack keeps &, < and > escaped where they begin no mention, link or date. */
export function escapeStray(text: string): string {
  return text
    .replaceAll(/&(?!(amp|lt|gt);)/g, '&amp;')
    .replaceAll(/<(?![@#!][^<>\n]*>|(https?|mailto):[^<>\n]*>)/g, '&lt;')
    .replaceAll(/(<[^<>\n]*)?>/g, (whole, opened: string | undefined) => (opened === undefined ? '&gt;' : whole))
}

export function isEmpty(content: { readonly [part in keyof Content]: Content[part] | null }): boolean {
  return (content.text ?? '') === '' && (content.blocks ?? []).length === 0 && (content.attachments ?? []).length === 0
}
