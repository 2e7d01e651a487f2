/** Who may decide. Identity is Slack's team and user id, never a name. Every answer is a reason in words, not a yes or no. */
import type { Press } from '../incident/input.ts'
import type { Actor } from '../incident/trigger.ts'

/** How a pipeline's owners wrote it down. */
export interface SignoffPolicy {
  /** The workspace whose people may decide. */
  readonly team: string
  readonly owners: { readonly users: readonly string[]; readonly groups: readonly string[] }
  /** Different owners whose approval is needed. */
  readonly approvals: number
  /** false = whoever asked for the diagnosis does not count as one of them. */
  readonly requesterCounts: boolean
}

export type Permission = { readonly may: true } | { readonly may: false; readonly why: string }

/** @param requesters everyone who asked for this incident; only an approval asks for them */
export function mayPress(press: Pick<Press, 'button' | 'by' | 'presser'>, policy: SignoffPolicy, requesters: readonly Actor[]): Permission {
  const { by, presser } = press
  if (presser.bot) return no('An app cannot sign off a change; a person has to.')
  if (presser.foreign || by.team !== policy.team) return no('You belong to another workspace; only owners from this one may decide.')
  if (presser.guest) return no('Guests may read along, but not decide.')
  if (policy.owners.users.length + policy.owners.groups.length === 0) {
    return no('No owner is configured for this pipeline, so nobody may decide. Add "owners:" to the pipeline.')
  }
  if (!isOwner(press, policy)) return no(`Only an owner of this pipeline may decide: ${ownersInWords(policy)}.`)
  const asked = requesters.some((one) => one.user === by.user && one.team === by.team)
  if (press.button === 'approve' && asked && !policy.requesterCounts) {
    return no('You asked for this diagnosis, so another owner has to approve.')
  }
  return { may: true }
}

function isOwner({ by, presser }: Pick<Press, 'by' | 'presser'>, { owners }: SignoffPolicy): boolean {
  return owners.users.includes(by.user) || presser.groups.some((group) => owners.groups.includes(group))
}

/** Slack's own mention syntax: whoever shows it may turn it into names. */
export function ownersInWords({ owners }: SignoffPolicy): string {
  return [...owners.users.map((user) => `<@${user}>`), ...owners.groups.map((group) => `<!subteam^${group}>`)].join(', ')
}

const no = (why: string): Permission => ({ may: false, why })
