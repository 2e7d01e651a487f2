/** A person types a slash command. */
import type { Backstage } from '../backstage.ts'
import type { Receipt } from '../deliver/parcel.ts'
import { commandPayload } from '../deliver/payloads.ts'
import type { PostOffice } from '../deliver/post-office.ts'
import { isFields, textOf } from '../json.ts'
import { putMessage } from '../posting.ts'
import { newResponseUrl, newTrigger } from './permits.ts'
import { respond } from './respond.ts'
import { escapedCommand } from './say.ts'

export interface Typed {
  readonly user: string
  readonly channel: string
  /** The whole line, e.g. "/headwater diagnose orders". */
  readonly line: string
  readonly threadTs?: string | null
}

/** Slack's own words, seen by the person alone. */
export function slackSays(
  stage: Backstage,
  to: { readonly user: string; readonly channel: string; readonly threadTs?: string | null },
  text: string,
): void {
  const place = { channel: to.channel, threadTs: to.threadTs ?? null, author: { kind: 'slack' } as const, onlyFor: to.user }
  putMessage(stage, place, { text, blocks: [], attachments: [], metadata: null })
}

/** @returns null = Slack did not take it to the app */
export async function typeCommand(stage: Backstage, office: PostOffice, typed: Typed): Promise<Receipt | null> {
  const [, command = '', written = ''] = /^(\/\S*)\s*([\s\S]*)$/.exec(typed.line.trim()) ?? []
  const user = stage.workspace.users.get(typed.user)
  const channel = stage.workspace.channels.get(typed.channel)
  if (user === undefined || channel === undefined) return null
  if (!stage.settings.app.commands.includes(command)) {
    slackSays(
      stage,
      typed,
      `\`${command}\` is not a valid command. In Slack, all messages that start with a slash are interpreted as commands.`,
    )
    return null
  }
  if (typed.threadTs != null) {
    slackSays(stage, typed, `\`${command}\` is not supported in threads. Sorry!`)
    return null
  }
  const text = stage.settings.app.escapesCommands ? escapedCommand(stage, written) : written
  const to = { user: user.id, channel: channel.id, original: null, threadTs: null }
  const payload = commandPayload(stage, {
    user,
    channel,
    command,
    text,
    responseUrl: newResponseUrl(stage, to),
    triggerId: newTrigger(stage, user.id),
  })
  const receipt = await office.send({ kind: 'slash_commands', payload, answerable: true, retry: null })
  if (receipt.kind === 'not_acknowledged') {
    const late = receipt.reason === 'http_timeout' || receipt.reason === 'timeout'
    slackSays(stage, typed, `${command} failed with the error "${late ? 'operation_timeout' : 'dispatch_failed'}"`)
  } else if (receipt.body !== null) {
    respond(stage, to, isFields(receipt.body) ? receipt.body : { text: textOf(receipt.body) })
  }
  return receipt
}
