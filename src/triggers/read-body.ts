/** The bytes of a request as they were sent: a signature is over these and no others. */
import type { IncomingMessage } from 'node:http'

export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too large' }
  /** The connection ended before the body did. */
  | { readonly kind: 'cut' }

/** Of a body that is too large, this many times as much is read and dropped, so that its sender hears the answer; then it is hung up on. */
const patience = 8

/** Never throws; holds at most `mostBytes`. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= mostBytes) {
        chunks.push(chunk)
        return
      }
      chunks = []
      resolve({ kind: 'too large' })
      if (size > mostBytes * patience) request.destroy()
    })
    request.once('end', () => resolve({ kind: 'bytes', bytes: Buffer.concat(chunks) }))
    request.once('error', () => resolve({ kind: 'cut' }))
    request.once('close', () => resolve({ kind: 'cut' }))
  })
}
