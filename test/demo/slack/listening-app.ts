/** An app that does nothing but answer as it is told, for tests of what Slack brings over HTTP. */
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Fields } from '../../../src/demo/slack/json.ts'
import { parsedJson } from '../../../src/demo/slack/json.ts'
import type { Options } from '../../../src/demo/slack/stand-in.ts'
import type { Stand } from './open-stand-in.ts'
import { openStandIn } from './open-stand-in.ts'

export interface Request {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** @param answer null = it never answers */
export async function withApp(
  answer: (request: Request) => Reply | null,
  options: Options = {},
): Promise<Stand & { readonly got: readonly Request[] }> {
  const got: Request[] = []
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    incoming.on('end', () => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body }
      got.push(request)
      const reply = answer(request)
      if (reply !== null) outgoing.writeHead(reply.status, reply.headers).end(reply.body ?? '')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stand = await openStandIn(options)
  stand.deliverTo({ commands: `${at}/commands`, interactivity: `${at}/interactive`, events: `${at}/events` })
  return { ...stand, got }
}

/** What an interaction brought. */
export function payloadOf(request: Request | undefined): Fields {
  return parsedJson(new URLSearchParams(request?.body).get('payload') ?? '{}') as Fields
}
