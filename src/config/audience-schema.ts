/** Around a pipeline, in the configuration file: which alerts mean it, where it is told, who may ask, who decides. */
import { z } from 'zod'
import type { Matcher } from '../incident/matcher.ts'
import { parseMatchers } from '../incident/matcher.ts'
import { channelId, slackId } from './plain-schema.ts'

const users = z
  .array(slackId('a person (⋮ in the profile, "Copy member ID")', 'UW', 'U0123ABCD'), 'write a list, e.g. [U0123ABCD]')
  .min(1, 'write at least one, e.g. [U0123ABCD]; leave the line out when there is none')

const groups = z
  .array(slackId('a user group', 'S', 'S0123ABCD'), 'write a list, e.g. [S0123ABCD]')
  .min(1, 'write at least one, e.g. [S0123ABCD]; leave the line out when there is none')

const owners = z
  .strictObject(
    {
      users: users.optional(),
      groups: groups.optional(),
      approvals: z.int('write a whole number, e.g. 1').min(1, 'write 1 or more').max(10, 'write 10 or less').optional(),
      requester_may_approve: z.boolean('write true or false').optional(),
    },
    'write users or groups below it, e.g. users: [U0123ABCD]',
  )
  .refine(
    (one) => one.users !== undefined || one.groups !== undefined,
    'name at least one owner: users: [U0123ABCD] or groups: [S0123ABCD]',
  )
  .refine((one) => one.groups !== undefined || (one.approvals ?? 1) <= new Set(one.users).size, {
    path: ['approvals'],
    error: 'write no more approvals than there are owners',
  })

const matcherForm = `write matchers as for Alertmanager, each in single quotes, e.g. ['topic="orders"', 'team=~"data.*"']`

const matcher = z.string(matcherForm).transform((text, context): readonly Matcher[] => {
  const read = parseMatchers(text)
  if ('matchers' in read) return read.matchers
  context.addIssue({ code: 'custom', message: `${read.mistake.what}; ${read.mistake.right}` })
  return z.NEVER
})

const route = z.strictObject(
  { matchers: z.array(matcher, matcherForm).min(1, 'write at least one matcher: none would match every alert') },
  `write - matchers: below it, e.g. - matchers: ['topic="orders"']`,
)

export const audienceShape = {
  channel: channelId.optional(),
  channels: z.array(channelId, 'write a list, e.g. [C0123ABCD]').optional(),
  owners: owners.optional(),
  /** An alert means the pipeline when all matchers of one entry match; an empty list = none does. */
  alerts: z.array(route, `write a list, e.g. - matchers: ['topic="orders"']`).optional(),
}
