/** auth.test, apps.connections.open: who the token is, and where Socket Mode listens. */
import type { Method } from './method.ts'
import { done } from './method.ts'

export const authTest: Method = {
  name: 'auth.test',
  pace: 'special',
  token: 'bot',
  scopes: [],
  required: {},
  optional: {},
  run: (_, { settings, workspace, base }) => {
    const { app } = settings
    return done({
      url: `${base()}/`,
      team: workspace.team.name,
      user: app.name.toLowerCase(),
      team_id: workspace.team.id,
      user_id: app.botUserId,
      bot_id: app.botId,
      is_enterprise_install: false,
    })
  },
}

/** Tier 1 in one of Slack's lists and Tier 3 in the other; Tier 3 lets a reconnect loop be seen. */
export const appsConnectionsOpen: Method = {
  name: 'apps.connections.open',
  pace: 3,
  token: 'app',
  scopes: [],
  required: {},
  optional: {},
  run: (_, { socketAddress }) => done({ url: socketAddress() }),
}
