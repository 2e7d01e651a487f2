/** Who we are in the workspace: asked once it is needed, and until Slack answers. */
import type { WebClient } from '@slack/web-api'
import type { Log } from '../log.ts'

export interface Identity {
  readonly botId: string
  readonly botUserId: string
  /** Handle, as people type it behind "@". */
  readonly name: string
  /** The workspace that the token is for, and the organisation it belongs to; '' = to none. */
  readonly team: string
  readonly enterprise: string
}

/** Scopes without which something of ours does not work, as in the manifests. */
const needed = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'usergroups:read',
  'users:read',
] as const

export interface Ourselves {
  /** @throws what the library throws while Slack does not say */
  readonly ask: () => Promise<Identity>
  /** null = not known yet. */
  readonly known: () => Identity | null
}

export function createIdentity(web: WebClient, log: Log): Ourselves {
  let known: Identity | null = null
  let asking: Promise<Identity> | null = null

  async function ask(): Promise<Identity> {
    const {
      bot_id: botId,
      user_id: botUserId,
      user,
      team_id: team,
      enterprise_id: enterprise,
      response_metadata: about,
    } = await web.auth.test()
    if (botId === undefined || botUserId === undefined) throw new Error('the token is not one of a bot')
    const scopes = about?.scopes ?? []
    const missing = needed.filter((scope) => !scopes.includes(scope))
    if (scopes.length > 0 && missing.length > 0) {
      log.warn('the app lacks permissions in Slack; add them from the manifest and install it again', { scopes: missing })
    }
    known = { botId, botUserId, name: user ?? 'headwater', team: team ?? '', enterprise: enterprise ?? '' }
    return known
  }

  return {
    known: () => known,
    ask: async () => {
      if (known !== null) return known
      asking ??= ask().finally(() => {
        asking = null
      })
      return await asking
    },
  }
}
