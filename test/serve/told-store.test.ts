/** What a service says of incidents and messages, and what it counts. */
import { expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { createCounts } from '../../src/serve/figures.ts'
import { queueTrouble } from '../../src/serve/queue-trouble.ts'
import { toldStore } from '../../src/serve/told-store.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { createMetrics } from '../../src/triggers/metrics.ts'
import { beginning, carriedOut } from '../../src/workflow/send-step.ts'
import { change, incident, noon, wantedMessage } from '../build/stored-values.ts'

function told() {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) })
  const counts = createCounts()
  return {
    lines,
    log,
    counts,
    store: toldStore(
      memoryStore(() => noon),
      log,
      counts,
    ),
  }
}

const slot = 'i-20261130-orders-1/home'

test('a move of an incident is one line with its id; one that was not made is none', async () => {
  const { store, lines } = told()
  const moved = change({ incident: { value: incident('i-20261130-orders-1'), version: 0 } })
  expect([await store.commit(moved), await store.commit(moved)]).toEqual(['done', 'conflict'])
  expect(lines).toMatchObject([
    { message: 'an incident moved', incident: 'i-20261130-orders-1', pipeline: 'orders', version: 1, state: 'open' },
  ])
})

test('posted, edited, refused, a copy removed: each is said of its incident and counted', async () => {
  const { store, lines, counts } = told()
  await store.commit(change({ messages: [wantedMessage(slot)] }))
  const planned = (await store.wanted(slot))!.delivery
  const steps = [planned, beginning(planned, noon)]
  steps.push(carriedOut(steps[1]!, '1.1', 1, noon))
  // The picture is ready: the same edition is wanted once more. That is no news yet.
  steps.push({ ...steps[2]!, edition: 0 })
  steps.push(beginning(steps[3]!, noon))
  steps.push(carriedOut(steps[4]!, '1.1', 2, noon))
  steps.push({ ...steps[5]!, removed: 2 })
  steps.push({ ...steps[6]!, state: 'refused', why: 'is_archived' })
  for (const [i, step] of steps.slice(1).entries()) expect(await store.deliver(steps[i]!, step)).toBe(true)
  expect(lines.map(({ message, incident: id, edition, code, copies }) => ({ message, id, edition, code, copies }))).toEqual([
    { message: 'a message stands in Slack', id: 'i-20261130-orders-1', edition: 1 },
    { message: 'a message was edited', id: 'i-20261130-orders-1', edition: 2 },
    { message: 'a second copy of a message was found and removed', id: 'i-20261130-orders-1', copies: 2 },
    { message: 'Slack refuses a message for good', id: 'i-20261130-orders-1', code: 'is_archived' },
  ])
  const text = await createMetrics([counts.figures], false).text()
  for (const [what, count] of Object.entries({ posted: 1, edited: 1, copy_removed: 2, refused: 1 })) {
    expect(text).toContain(`headwater_messages_total{what="${what}"} ${count}`)
  }
})

test('trouble with a job names its incident; trouble with the connection is said once, however often it comes', () => {
  const { log, lines } = told()
  const trouble = queueTrouble(log)
  trouble({ job: 'i-20261130-orders-1/diagnose-1', says: 'no', again: true })
  trouble({ job: 'i-20261130-orders-1/diagnose-1', says: 'no', again: false })
  for (let i = 0; i < 5; i++) trouble({ job: null, says: 'Connection is closed.', again: true })
  expect(lines.map(({ level, incident: id }) => [level, id])).toEqual([
    ['warn', 'i-20261130-orders-1'],
    ['error', 'i-20261130-orders-1'],
    ['warn', undefined],
  ])
})
