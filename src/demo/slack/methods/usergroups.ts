/** usergroups.list, usergroups.users.list: who owns what, by group. */
import { textOf } from '../json.ts'
import { groupJson } from '../workspace/people.ts'
import type { Method } from './method.ts'
import { done, refuse } from './method.ts'

export const usergroupsList: Method = {
  name: 'usergroups.list',
  pace: 2,
  token: 'bot',
  scopes: ['usergroups:read'],
  required: {},
  optional: { include_users: 'flag', include_count: 'flag', include_disabled: 'flag' },
  run: (args, { workspace }) => {
    const groups = [...workspace.groups.values()].filter((group) => !group.disabled || args.include_disabled === true)
    const shown = { users: args.include_users === true, count: args.include_count === true }
    return done({ usergroups: groups.map((group) => groupJson(group, workspace.team.id, shown)) })
  },
}

export const usergroupsUsersList: Method = {
  name: 'usergroups.users.list',
  pace: 2,
  token: 'bot',
  scopes: ['usergroups:read'],
  required: { usergroup: 'text' },
  optional: { include_disabled: 'flag' },
  run: (args, { workspace }) => {
    const group = workspace.groups.get(textOf(args.usergroup))
    if (group === undefined || (group.disabled && args.include_disabled !== true)) return refuse('no_such_subteam')
    return done({ users: group.members })
  },
}
