/** The bodies that Slack sends, field by field (shapes: @slack/bolt's types and Slack's samples). */
import type { Backstage } from '../backstage.ts'
import type { Fields } from '../json.ts'
import type { Channel } from '../workspace/channels.ts'
import { nameInPayload } from '../workspace/channels.ts'
import type { User } from '../workspace/people.ts'
import type { View } from '../workspace/views.ts'
import { viewJson } from '../workspace/views.ts'

/** The deprecated verification token: apps should look at the signature. */
const TOKEN = 'deprecated'

export function commandPayload(
  stage: Backstage,
  by: {
    readonly user: User
    readonly channel: Channel
    readonly command: string
    readonly text: string
    readonly responseUrl: string
    readonly triggerId: string
  },
): Fields {
  const { team } = stage.workspace
  return {
    token: TOKEN,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: by.channel.id,
    channel_name: nameInPayload(by.channel),
    user_id: by.user.id,
    user_name: by.user.name,
    command: by.command,
    text: by.text,
    api_app_id: stage.settings.app.id,
    is_enterprise_install: 'false',
    response_url: by.responseUrl,
    trigger_id: by.triggerId,
  }
}

/** What all interactions have. */
function interaction(stage: Backstage, type: string, user: User): Fields {
  const { team } = stage.workspace
  return {
    type,
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team },
    api_app_id: stage.settings.app.id,
    token: TOKEN,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  }
}

export function pressPayload(
  stage: Backstage,
  by: {
    readonly user: User
    readonly triggerId: string
    readonly actions: readonly Fields[]
    readonly in:
      | {
          readonly channel: Channel
          readonly ts: string
          readonly threadTs: string | null
          readonly ephemeral: boolean
          readonly message: Fields
          readonly responseUrl: string
        }
      | { readonly view: View }
  },
): Fields {
  const base = { ...interaction(stage, 'block_actions', by.user), trigger_id: by.triggerId, actions: by.actions }
  if ('view' in by.in) {
    const view = viewJson(by.in.view, stage.settings.app, stage.workspace.team.id)
    return { ...base, container: { type: 'view', view_id: by.in.view.id }, view }
  }
  const { channel, ts, threadTs, ephemeral, message, responseUrl } = by.in
  const container = {
    type: 'message',
    message_ts: ts,
    channel_id: channel.id,
    is_ephemeral: ephemeral,
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
  }
  return {
    ...base,
    container,
    channel: { id: channel.id, name: nameInPayload(channel) },
    ...(ephemeral ? {} : { message }),
    state: { values: {} },
    response_url: responseUrl,
  }
}

export function submissionPayload(stage: Backstage, user: User, view: View, triggerId: string): Fields {
  return {
    ...interaction(stage, 'view_submission', user),
    trigger_id: triggerId,
    view: viewJson(view, stage.settings.app, stage.workspace.team.id),
    response_urls: [],
  }
}

export function closedPayload(stage: Backstage, user: User, view: View, cleared: boolean): Fields {
  return {
    ...interaction(stage, 'view_closed', user),
    view: viewJson(view, stage.settings.app, stage.workspace.team.id),
    is_cleared: cleared,
  }
}

/** The Events API's wrapper around an event. */
export function eventPayload(stage: Backstage, event: Fields): Fields {
  const { app } = stage.settings
  const team = stage.workspace.team.id
  return {
    token: TOKEN,
    team_id: team,
    context_team_id: team,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: stage.chance.id('Ev'),
    event_time: Math.floor(stage.clock.now() / 1000),
    authorizations: [{ enterprise_id: null, team_id: team, user_id: app.botUserId, is_bot: true, is_enterprise_install: false }],
    is_ext_shared_channel: stage.workspace.channels.get(String(event.channel))?.external ?? false,
    event_context: `4-${stage.chance.id('', 20)}`,
  }
}
