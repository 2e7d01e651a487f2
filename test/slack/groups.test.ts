/** Who is in an owners' group is never decided by an old answer: whoever has left it decides nothing. */
import type { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { createGroups } from '../../src/slack/groups.ts'
import { noon } from '../build/stored-values.ts'

const minutes = (n: number): number => n * 60_000

/** A group as Slack has it, and what is read of it on a hand-set clock. */
function group() {
  const slack = { members: ['U-ben'], calls: 0, answer: async (members: string[]): Promise<string[]> => members }
  const clock = { nowMs: noon }
  const list = async () => {
    slack.calls++
    return { users: await slack.answer([...slack.members]) }
  }
  const web = { usergroups: { users: { list } } } as unknown as WebClient
  const groups = createGroups({ web, all: ['S1'], nowMs: () => clock.nowMs, log: createLog({ write: () => {} }) })
  return { slack, clock, groups, of: () => groups.of('U-ben', ['S1']) }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

test.each([11, 58, 600])('%i min after it was read, who has left the group meanwhile is in it no longer', async (n) => {
  const { slack, clock, groups, of } = group()
  await groups.read()
  slack.members = []
  clock.nowMs += minutes(n)
  expect(await of()).toEqual([])
})

test('while Slack does not answer, an answer of ten minutes counts, and an older one is none', async () => {
  const { slack, clock, groups, of } = group()
  await groups.read()
  slack.answer = () => Promise.reject(new Error('no answer'))
  clock.nowMs += minutes(10)
  expect(await of()).toEqual(['S1'])
  await settled()
  clock.nowMs += 1
  expect(await of()).toBeNull()
  slack.answer = () => new Promise(() => {})
  expect(await of()).toBeNull()
})

test('nobody waits for Slack where presses come every few minutes', async () => {
  const { slack, clock, groups, of } = group()
  await groups.read()
  for (let n = 0; n < 10; n++) {
    clock.nowMs += minutes(4)
    const late = slack.answer
    slack.answer = async (members) => settled().then(() => members)
    expect(await of()).toEqual(['S1'])
    slack.answer = late
    await settled()
    await settled()
  }
  expect(slack.calls).toBeLessThanOrEqual(6)
})

test('an answer counts from when it was asked for, however late it comes', async () => {
  const { slack, clock, groups, of } = group()
  slack.answer = async (members) => {
    clock.nowMs += minutes(9)
    return members
  }
  await groups.read()
  slack.answer = async (members) => members
  slack.members = []
  clock.nowMs += minutes(2)
  expect(await of()).toEqual([])
})

test('an answer that was under way when the group changed is not taken for the new one', async () => {
  const { slack, groups, of } = group()
  const old = Promise.withResolvers<string[]>()
  slack.answer = () => old.promise
  const reading = groups.read()
  slack.members = []
  slack.answer = async (members) => members
  groups.changed('S1')
  await settled()
  old.resolve(['U-ben'])
  await reading
  expect(await of()).toEqual([])
})
