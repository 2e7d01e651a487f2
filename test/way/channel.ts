/** The incident's channel as people see it, and what they press in it: nothing is asked of the product but through Slack. */
import type { Seen } from '../../src/demo/slack/observer.ts'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import type { AgreedChange } from '../rig/turn-knob.ts'
import { linesOf } from './walked.ts'

/** Of the stand-in's workspace; alerts of the pipeline are told here. */
export const CHANNEL = 'C0INCIDENTS'
/** Members of the group that owns the pipeline. */
export const owners = { approves: 'U0BEN', applies: 'U0CHIO' } as const
/** On call, but no owner. */
export const onCall = 'U0AMARA'

/** The app's messages at the top level of the channel. */
export function homes({ observer }: StandIn): readonly Seen[] {
  return observer.messages(CHANNEL).filter((one) => one.by === 'app' && one.threadTs === null && !one.deleted)
}

/** Notification texts of the replies below a message, oldest first. */
export function replies({ observer }: StandIn, root: string): readonly Seen[] {
  return observer.messages(CHANNEL).filter((one) => one.threadTs === root && !one.deleted)
}

/** All words of a message. */
export function words({ now }: Seen): string {
  const found: string[] = []
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        if (typeof one === 'string' && (key === 'text' || key === 'alt_text')) found.push(one)
        else walk(one)
      }
    }
  }
  walk(now.blocks)
  return [now.text, ...found].join('\n')
}

/** Labels of the buttons that can be pressed. */
export function buttons({ now }: Seen): string[] {
  return now.blocks.flatMap((block) => {
    const { type, elements } = block as { type?: string; elements?: readonly { text?: { text?: string } }[] }
    return type === 'actions' ? (elements ?? []).map((one) => one.text?.text ?? '') : []
  })
}

/** PNG that stands in a message; null = there is none that anybody could see. */
export function picture({ workspace }: StandIn, { now }: Seen): Uint8Array | null {
  const id = /"slack_file":\{"id":"(\w+)"/.exec(JSON.stringify(now.blocks))?.[1]
  return id === undefined ? null : (workspace.files.get(id)?.bytes ?? null)
}

/** @throws when there is no such button for this person, or the app did not take the press in */
export async function press(stand: StandIn, user: string, message: Seen, label: string): Promise<void> {
  const receipt = await stand.observer.press({ user, in: { channel: message.channel, ts: message.ts }, on: label })
  if (receipt?.kind !== 'acknowledged') throw new Error(`${user} pressed ${label}: ${receipt?.kind ?? 'there is no such button'}`)
}

/** "Approved: minPartitions: not set → 24 tasks (query orders)": what whoever operates the query reads in the thread. */
export function agreedIn(texts: readonly string[]): (AgreedChange & { readonly line: string }) | null {
  for (const line of texts.toReversed().flatMap(linesOf)) {
    const found = /^Approved: (([^:]+): (?:not set|[\d,.]+(?: s)?) → ([\d,.]+) .+)$/.exec(line)
    if (found !== null) return { line: found[1]!, knob: found[2]!, to: Number(found[3]!.replaceAll(',', '')) }
  }
  return null
}
