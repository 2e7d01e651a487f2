/** What people are called, asked of Slack at the moment somebody wants to read it. Nothing of it is kept: a name is not ours. */
import type { Log } from '../log.ts'
import { failureOf } from './outcome.ts'
import { webClient } from './web-client.ts'

export interface NamesOrder {
  readonly botToken: string
  /** Address of the Web API; undefined = Slack's own. */
  readonly apiUrl: string | undefined
  readonly log: Log
}

/** @returns names by user id, without those that Slack does not say; `why` = the first reason, null = there was none */
export async function namesOf(
  users: readonly string[],
  order: NamesOrder,
): Promise<{ readonly names: ReadonlyMap<string, string>; readonly why: string | null }> {
  const web = webClient(order)
  const names = new Map<string, string>()
  let why: string | null = null
  for (const user of users) {
    try {
      const { user: told } = await web.users.info({ user })
      const name = [told?.profile?.display_name, told?.real_name, told?.name].find((one) => one !== undefined && one !== '')
      if (name !== undefined) names.set(user, name)
    } catch (error) {
      const failure = failureOf(error)
      why ??= failure.kind === 'refused' ? failure.code : failure.why
    }
  }
  return { names, why }
}
