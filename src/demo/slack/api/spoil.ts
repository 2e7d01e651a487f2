/** Answers that come late, come as something else, or never arrive. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Backstage } from '../backstage.ts'
import type { After, Fault } from '../faults/fault.ts'

export interface Wire {
  Bindings: HttpBindings
}

/**
 * @param at whether the work is still to be done or was done
 * @returns what comes instead of the answer; null = the answer may come (it may have been held up)
 */
export async function spoil(c: Context<Wire>, stage: Backstage, fault: Fault | null, at: After): Promise<Response | null> {
  if (fault === null || !('after' in fault) || fault.after !== at) return null
  switch (fault.kind) {
    case 'late':
      await stage.clock.sleep(fault.ms)
      return null
    case 'cut':
      c.env.outgoing.destroy()
      return RESPONSE_ALREADY_SENT
    case 'hang':
      return await never(c)
    case 'html':
      return c.html('<!doctype html><title>Something went wrong</title>')
    case 'status':
      return c.text('', fault.status as 500, fault.status === 302 ? { location: `${stage.base()}/elsewhere` } : {})
  }
}

/** Keeps the connection and never says a word; it ends when the other side or the stand-in does. */
async function never(c: Context<Wire>): Promise<Response> {
  await new Promise<void>((resolve) => {
    c.env.outgoing.once('close', () => resolve())
  })
  return RESPONSE_ALREADY_SENT
}
