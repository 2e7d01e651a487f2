/** users.info. */
import { textOf } from '../json.ts'
import { userJson } from '../workspace/people.ts'
import type { Method } from './method.ts'
import { done, refuse } from './method.ts'

export const usersInfo: Method = {
  name: 'users.info',
  pace: 4,
  token: 'bot',
  scopes: ['users:read'],
  required: { user: 'text' },
  optional: { include_locale: 'flag' },
  run: (args, stage) => {
    const user = stage.workspace.users.get(textOf(args.user))
    if (user === undefined) return refuse('user_not_found')
    return done({ user: userJson(user, stage.workspace.team.id, stage.settings.app.scopes.includes('users:read.email')) })
  },
}
