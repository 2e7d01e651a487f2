/** What Slack tells without being asked: that we were let into a channel, and that a group of owners changed. */
import type { App } from '@slack/bolt'
import type { HeadwaterError } from '../errors.ts'
import type { Audience } from '../incident/audience.ts'
import { noPipeline } from '../incident/unmapped.ts'
import type { Groups } from './groups.ts'
import type { Ourselves } from './identity.ts'
import type { Keep } from './keep.ts'
import { fieldsOf, textOf } from './payloads.ts'

export interface EventPorts {
  readonly audiences: readonly Audience[]
  readonly unmappedChannel: string | null
  readonly nowMs: () => number
  readonly ourselves: Ourselves
  readonly groups: Groups
  readonly keep: Keep
  readonly notStored: () => HeadwaterError
}

/** What is told in a channel, also where nobody may ask in it. */
function toldIn(channel: string, { audiences, unmappedChannel }: EventPorts): string[] {
  const pipelines = audiences.filter((one) => one.channel === channel || one.channels.includes(channel)).map((one) => one.pipeline)
  return channel === unmappedChannel ? [...pipelines, noPipeline] : pipelines
}

export function onEvents(app: App, ports: EventPorts): void {
  app.event('member_joined_channel', async ({ event, body }) => {
    const { user, channel } = fieldsOf(event)
    const { botUserId } = await ports.ourselves.ask()
    if (user !== botUserId) return
    const kept = await Promise.all(
      toldIn(textOf(channel), ports).map((pipeline) => {
        const key = `admitted/${textOf(channel)}/${body.event_id}/${pipeline}`
        return ports.keep({ kind: 'admitted', key, atMs: ports.nowMs(), pipeline, channel: textOf(channel) })
      }),
    )
    if (kept.some((one) => one === 'away' || one === 'full')) throw ports.notStored()
  })

  app.event('subteam_members_changed', async ({ event }) => ports.groups.changed(event.subteam_id))
}
