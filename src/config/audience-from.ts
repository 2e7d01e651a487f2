/** Who a pipeline of the file concerns, in the words of the incident room. */
import type { z } from 'zod'
import type { Audience } from '../incident/audience.ts'
import type { Matcher } from '../incident/matcher.ts'
import type { Problem } from './pipeline-from.ts'
import type { pipelineSchema } from './schema.ts'

export function audienceFrom(pipeline: string, own: z.output<typeof pipelineSchema>): { audience: Audience; problems: readonly Problem[] } {
  const { channel = null, channels = [], owners, alerts } = own
  const what = 'its alerts have no channel to be told in'
  return {
    problems:
      (alerts ?? []).length > 0 && channel === null ? [{ path: ['alerts'], what, right: 'write channel: C0123ABCD beside it' }] : [],
    audience: {
      pipeline,
      channel,
      channels: [...new Set(channel === null ? channels : [channel, ...channels])],
      owners: { users: owners?.users ?? [], groups: owners?.groups ?? [] },
      approvals: owners?.approvals ?? 1,
      requesterCounts: owners?.requester_may_approve ?? true,
      alerts: alerts?.map((route) => route.matchers.flat()) ?? (channel === null ? [] : alertsAbout(pipeline, own)),
    },
  }
}

/**
 * Which alerts mean a pipeline whose file does not say it: those that carry its name, topic, query or group under the labels that the
 * usual exporters, and the rules beside the example, give them. A query stands in a metric's name with "_" in place of other signs. An
 * alert about a group is about that group alone: a Spark query commits to none, and what others who read the topic do is not its trouble.
 */
function alertsAbout(pipeline: string, { topic, query, group }: z.output<typeof pipelineSchema>): Matcher[][] {
  const told = [
    ['pipeline', pipeline],
    ['query', query],
    ['query', query?.replace(/[^A-Za-z0-9]/g, '_')],
    ['application', query],
    ['consumergroup', group],
  ] as const
  const matchers = told.flatMap(([name, value]) => (value === undefined ? [] : [[is(name, value)]]))
  const ofTopic = [is('topic', topic), ...['consumergroup', 'consumer_group', 'group', 'group_id'].map((name) => is(name, ''))]
  return [ofTopic, ...new Map(matchers.map((one) => [JSON.stringify(one), one])).values()]
}

/** A label that is not there is an empty one. */
const is = (name: string, value: string): Matcher => ({ name, op: '=', value })
