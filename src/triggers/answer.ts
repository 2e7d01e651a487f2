/** What a request gets back. */
import type { ServerResponse } from 'node:http'

export interface Answer {
  readonly status: number
  /** A value becomes JSON, a text stays as it is. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes it, if there is still somebody to write to. */
export function send(response: ServerResponse, answer: Answer, lastOne: boolean): void {
  if (response.destroyed || response.headersSent) return
  const isText = typeof answer.body === 'string'
  const bytes = Buffer.from(isText ? (answer.body as string) : `${JSON.stringify(answer.body)}\n`)
  response.writeHead(answer.status, {
    'Content-Type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...(lastOne ? { Connection: 'close' } : {}),
    ...answer.headers,
  })
  response.end(bytes)
}
