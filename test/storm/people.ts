/** Those who ask and those who decide: one of each per pipeline, so that what only they are shown tells about that pipeline. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import { refusals } from '../../src/report/messages/alone.ts'
import { alert } from '../service/town.ts'

export const askerOf = (pipeline: number): string => `U0ASK${pipeline}`
export const ownerOf = (pipeline: number, which = 0): string => `U0OWN${pipeline}X${which}`

/** As the owner whom everybody knows, and members of these channels. */
export function bringIn({ workspace }: StandIn, people: readonly string[], channels: readonly string[]): void {
  const like = workspace.users.get('U0BEN')!
  for (const id of people) {
    workspace.users.set(id, { ...like, id, name: id.toLowerCase() })
    for (const channel of channels) workspace.channels.get(channel)?.members.add(id)
  }
}

export interface Taken {
  /** When it was sent that was taken, epoch ms. */
  readonly atMs: number
  readonly tries: number
}

const againMs = 1_000
/** After this long without a word to the contrary, what was acknowledged is taken to have been kept. */
const wordMs = 3_000

/** What anybody would do again at once. */
const passing = [refusals.storeAway, refusals.full, refusals.whoAreYou, refusals.groups].map(({ text }) => text)

const isPassing = (said: string): boolean => passing.some((text) => said.includes(text))

/** Tries until it is taken. @returns null = the run ended before that */
async function until(signal: AbortSignal, one: () => Promise<boolean>): Promise<Taken | null> {
  for (let tries = 1; !signal.aborted; tries++) {
    const atMs = Date.now()
    if (await one()) return { atMs, tries }
    await sleep(againMs)
  }
  return null
}

/** Types the command, and again where Slack says that it failed or Headwater says that it did not keep it. */
export function askUntilTaken(
  { observer }: Pick<StandIn, 'observer'>,
  typed: { readonly user: string; readonly channel: string; readonly pipeline: string },
  signal: AbortSignal,
): Promise<Taken | null> {
  const { user, channel, pipeline } = typed
  return until(signal, async () => {
    const receipt = await observer.type({ user, channel, line: `/headwater diagnose ${pipeline}` })
    return receipt?.kind === 'acknowledged' && !isPassing(JSON.stringify(receipt.body))
  })
}

/** One of the senders of an alert: comes again until it is taken. @param webhooks where to, at that moment */
export function alertUntilTaken(webhooks: () => string, pipeline: string, signal: AbortSignal): Promise<Taken | null> {
  return until(signal, async () => {
    const response = await alert(webhooks(), pipeline).catch(() => null)
    return response?.ok === true
  })
}

/** Presses, and again where it failed or was not kept. Null as well where the button is gone. */
export async function pressUntilTaken(
  { observer }: Pick<StandIn, 'observer'>,
  pressed: { readonly user: string; readonly channel: string; readonly ts: string; readonly on: string },
  signal: AbortSignal,
): Promise<Taken | null> {
  const { user, channel, ts, on } = pressed
  let gone = false
  const taken = await until(signal, async () => {
    const begin = observer.shownOnlyTo(user).length
    const receipt = await observer.press({ user, in: { channel, ts }, on })
    gone = receipt === null
    if (gone) return true
    if (receipt?.kind !== 'acknowledged') return false
    await sleep(wordMs)
    const said = observer.shownOnlyTo(user).slice(begin)
    return !said.some(({ now }) => isPassing(now.text))
  })
  return gone ? null : taken
}
