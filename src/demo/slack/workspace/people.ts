/** People and groups of the workspace, and how Slack's API shows them. */
import type { Fields } from '../json.ts'

export interface User {
  readonly id: string
  /** Handle, e.g. "amara". */
  readonly name: string
  readonly realName: string
  /** IANA zone. */
  readonly zone: string
  readonly email: string
  /** Another workspace's id = a stranger in a shared channel. */
  readonly team: string
  /** Single- or multi-channel guest. */
  readonly guest: boolean
  readonly bot: boolean
  readonly deleted: boolean
  /** What the page writes under the name when one chooses whom to act as. */
  readonly role: string
}

export interface UserGroup {
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly members: readonly string[]
  readonly disabled: boolean
}

/** @param homeTeam the workspace's own id: everybody else is a stranger */
export function userJson(user: User, homeTeam: string, withEmail: boolean): Fields {
  const profile = {
    real_name: user.realName,
    real_name_normalized: user.realName,
    display_name: user.name,
    display_name_normalized: user.name,
    team: user.team,
    ...(withEmail ? { email: user.email } : {}),
  }
  return {
    id: user.id,
    team_id: user.team,
    name: user.name,
    deleted: user.deleted,
    real_name: user.realName,
    tz: user.zone,
    profile,
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: user.guest,
    is_ultra_restricted: false,
    is_bot: user.bot,
    is_app_user: false,
    is_stranger: user.team !== homeTeam,
    updated: 0,
  }
}

export function groupJson(group: UserGroup, team: string, show: { readonly users: boolean; readonly count: boolean }): Fields {
  return {
    id: group.id,
    team_id: team,
    is_usergroup: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: group.disabled ? 1 : 0,
    ...(show.users ? { users: group.members } : {}),
    ...(show.count ? { user_count: group.members.length } : {}),
  }
}
