/** Reading what a call brings along: form body, JSON body or query, with nested values as JSON in text. */
import type { Fields } from '../json.ts'
import { fieldsOf, parsedJson } from '../json.ts'
import type { Answer, Kind, Method } from '../methods/method.ts'
import { invalidArguments, refuse } from '../methods/method.ts'

/** @returns arguments by name, each still as it came */
export async function sentArguments(request: Request): Promise<Fields> {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const type = request.headers.get('content-type') ?? ''
  if (request.method === 'GET' || type === '') return query
  if (type.startsWith('application/json')) return { ...query, ...fieldsOf(parsedJson(await request.text())) }
  const form = await request.formData().catch(() => new FormData())
  return { ...query, ...Object.fromEntries(form) }
}

/** Errors of their own for JSON that cannot be read. */
const BAD_JSON: Readonly<Record<string, string>> = {
  blocks: 'invalid_blocks_format',
  metadata: 'invalid_metadata_format',
  attachments: 'invalid_attachments',
}

/** @returns the arguments that the method knows, read by their kinds; or Slack's refusal */
export function readArguments(method: Method, sent: Fields): { readonly args: Fields } | { readonly refusal: Answer } {
  const missing = Object.keys(method.required).filter((name) => sent[name] === undefined || sent[name] === '')
  if (missing.length > 0) return { refusal: invalidArguments(...missing.map((name) => `missing required field: ${name}`)) }
  const args: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries({ ...method.required, ...method.optional })) {
    if (sent[name] === undefined || sent[name] === null) continue
    const value = readOne(kind, sent[name])
    if (value === undefined) {
      const error = BAD_JSON[name]
      return {
        refusal: error === undefined ? invalidArguments(`${name} must be ${kind === 'number' ? 'a number' : 'valid JSON'}`) : refuse(error),
      }
    }
    args[name] = value
  }
  return { args }
}

/** @returns undefined where it cannot be read */
function readOne(kind: Kind, value: unknown): unknown {
  if (kind === 'text') return typeof value === 'string' ? value : String(value)
  if (kind === 'flag') return value === true || value === 'true' || value === '1'
  if (kind === 'json') return typeof value === 'string' ? parsedJson(value) : value
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
