/** Nothing that is worked out of what to do is kept from the people who have to do it. */
import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Remedy } from '../../src/incident/proposal.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { consequences } from '../../src/workflow/consequences.ts'
import { wantedMessages } from '../../src/workflow/wanted-messages.ts'
import { bundleOf, judgedOf } from '../build/attend-ports.ts'
import { minute, opened, proposal, verdict } from '../build/incident.ts'
import { messageText } from '../build/message-text.ts'
import { caseName, incidentOf, judgedCase, recordedPaths } from '../build/recorded-cases.ts'

const clock = wallClock('UTC')

/** Whole sentences, as `propose` has them. */
function sentences(remedy: Remedy): string[] {
  if (remedy.kind === 'referral') return [...remedy.say]
  if (remedy.kind === 'refusal') return remedy.needs === null ? [remedy.reason] : [remedy.reason, remedy.needs]
  return [...remedy.arithmetic, ...remedy.apply, ...remedy.test, ...remedy.undo, ...remedy.stopIf, ...remedy.willNotFix]
}

test.each(recordedPaths.map((path) => [caseName(path), path]))('%s: every sentence of its remedy stands in its messages', (_, path) => {
  const judged = judgedCase(path)
  const incident = incidentOf(judged)
  const told = wantedMessages(incident, { judged, clock, edition: 2 }).map(messageText).join('\n')
  const said = sentences(incident.remedy!)
  expect(said.length).toBeGreaterThan(0)
  for (const one of said) expect(told).toContain(one)
})

test('the setting that a refusal asks for stands in the home message', () => {
  const judged = judgedCase(recordedPaths.find((path) => caseName(path) === 'example-04')!)
  const [home] = wantedMessages(incidentOf(judged), { judged, clock, edition: 2 })
  expect(messageText(home!)).toContain('Needed: add "group: <consumer group>" to the pipeline, or allow Describe on it')
})

const referral = (say: string): Remedy => ({ kind: 'referral', to: 'sink', say: [say, 'Ask for latency of the store.'] })
const judged = judgedOf(bundleOf('slow_sink'))
const found = (revision: number, remedy: Remedy, before = opened(), cause = 'slow_sink') =>
  conclude(before, verdict({ revision, cause, bundle: `b${revision}`, atMs: minute(revision) }), remedy, minute(revision))
const tell = (incident: ReturnType<typeof opened>) => wantedMessages(incident, { judged, clock, edition: 2 })
const moved = (before: ReturnType<typeof opened>, after: ReturnType<typeof opened>) =>
  consequences(before, after, { before: tell(before), after: tell(after) }, 3, minute(9)).messages.flatMap(({ slot }) =>
    slot.includes('remedy') ? [slot] : [],
  )

test('whom to ask is a message that can be forwarded as it is', () => {
  const one = tell(found(1, referral('The commit takes 9 s a batch, 1 s before.'))).find(({ slot }) => slot.endsWith('/home/remedy-1'))!
  expect(messageText(one)).toMatchInlineSnapshot(`
    "! For the owner of the sink: orders: The commit takes 9 s a batch, 1 s before.
    # For the owner of the sink
    Found: orders: writing to the table takes longer than before
    Where: topic orders
    Since: between 13:01:55 UTC and 13:02:05 UTC
    What was seen, and what to ask:
      · The commit takes 9 s a batch, 1 s before.
      · Ask for latency of the store.
    . No setting of the reader ends this, so no change is proposed. This message can be forwarded as it is."
  `)
})

test('the same remedy again is no news; other numbers edit its message; another conclusion has its own, and the old one stays', () => {
  const first = found(1, referral('The commit takes 9 s a batch.'))
  expect(moved(first, found(2, referral('The commit takes 9 s a batch.'), first))).toEqual([])
  const second = found(2, referral('The commit takes 12 s a batch.'), first)
  expect(moved(first, second)).toEqual(['i-1/home/remedy-1'])
  const other = found(3, { kind: 'refusal', reason: 'Nothing differs.', needs: null }, second, 'executor_loss')
  expect(moved(second, other)).toEqual(['i-1/home/remedy-3'])
  expect(moved(other, found(4, proposal(), other, 'hot_partition'))).toEqual([])
})
