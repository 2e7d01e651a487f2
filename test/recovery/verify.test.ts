/**
 * Before and after, on the pipeline in motion: asked at 3,600 s, the change applied at 3,620 s, looked at again at 4,300 s. 8 partitions x 50
 * records/s, a trigger of 5 s, 4 slots.
 */
import { describe, expect, test } from 'vitest'
import type { RecoveryOutcome } from '../../src/incident/incident.ts'
import type { Proposal } from '../../src/incident/proposal.ts'
import type { Look } from '../../src/proposal/grounds.ts'
import { propose } from '../../src/proposal/propose.ts'
import { verify } from '../../src/recovery/verify.ts'
import { changing, lookAt, lookOf, msAt, named, proposed, since, undeclared } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const applied = 3620
const restarts = [{ at: 3625, back: 3650 }]
const later = (motion: Motion, askedAt = 4300): Look => lookAt({ ...motion, askedAt })

function check(proposal: Proposal, before: Look, now: Look, last = true) {
  return verify({ proposal, appliedAtMs: msAt(applied), before, now, last })
}

describe('a hot partition, and minPartitions', () => {
  const hot: Motion = { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }
  const before = lookAt(hot)
  const proposal = proposed(propose(before, undeclared))
  const cut: Motion = { ...hot, restarts, minPartitions: changing<number | null>(null, proposal.action.to, 3625) }
  const coolsDown = (p: number, t: number) => (p === 3 && t > since && t < 3700 ? 500 : 50)

  test.each<[string, Motion, RecoveryOutcome, RegExp]>([
    [
      'it was set, and the lag falls',
      cut,
      'recovered',
      /^Recovered: slot time that is idle while a batch reads and works \d % \(57 % before\); the lag is [\d,]+ records/,
    ],
    ['nobody restarted the query', hot, 'not_applied', /the query has not been started anew since/],
    [
      'restarted with the old setting',
      { ...hot, restarts },
      'not_applied',
      /the newest batch had 8 tasks; 8 with the old setting, 16 with the new one/,
    ],
    ['the key cooled down by itself', { rate: coolsDown }, 'by_itself', /the setting was not turned/],
    [
      'set, but the key cooled down as well',
      { ...cut, rate: coolsDown },
      'by_itself',
      /intake of partition 3 fell from 500 records\/s to 50 records\/s meanwhile/,
    ],
    [
      'set, and now the table is slow',
      { ...cut, commitS: changing(0.4, 6, 3900) },
      'moved',
      /the commit of the table takes longer than before, by 5\.\d s a batch/,
    ],
    [
      'the query did not come up again',
      { ...hot, restarts: [{ at: 3625, back: 99_999 }] },
      'worse',
      /No batch has ended since it was applied 11 min 20 s ago, while records wait/,
    ],
    ['all sources are gone', { ...cut, without: ['kafka', 'checkpoint', 'spark', 'delta'] }, 'cannot_tell', /^Not seen since the change/],
    ['the Spark UI is gone', { ...cut, without: ['spark'] }, 'cannot_tell', /Not seen since the change: slot time that is idle/],
    ['the checkpoint is gone', { ...cut, without: ['checkpoint'] }, 'cannot_tell', /Not seen since the change/],
  ])('%s', (_, motion, outcome, says) => {
    const result = check(proposal, before, later(motion))
    expect([result.outcome, result.says]).toEqual([outcome, expect.stringMatching(says)])
    expect(result.reasons.length).toBeGreaterThan(2)
  })

  test('the wrong knob: twice the executors are there, and the one task is as long as before', () => {
    const wrong: Proposal = {
      ...proposal,
      action: { ...proposal.action, knob: 'executors', from: { ...proposal.action.from, value: 2 }, to: 4 },
    }
    const now = later({ ...hot, restarts, slots: changing(4, 8, 3625), executors: [[3650, 4]] }, 6600)
    const result = check(wrong, before, now)
    expect([result.outcome, result.says]).toEqual(['no_effect', expect.stringMatching(/^It had no effect: slot time that is idle/)])
    expect(result.reasons.join('\n')).toContain('setting: turned, 4 executors, 2 before, 4 wanted')
  })

  test('the first five batches after a restart judge nothing', () => {
    const soon = check(proposal, before, later(cut, 3700), false)
    expect(soon.outcome).toBeNull()
    expect(soon.says).toContain('It is too early to say')
    const result = check(proposal, before, later(cut))
    expect(result.reasons.join('\n')).toMatch(/the query was started anew; its first 5 batches are left out, \d+ count/)
  })

  test('a batch that still runs is no dead query, however long it takes', () => {
    const slow = later({ ...hot, rate: (p, t) => (p === 3 ? changing(50, 30_000, 3590)(t) : 50) }, 4000)
    expect(slow.timeline.batches.at(-1)?.open).toBe(true)
    expect(check(proposal, before, slow, false).outcome).toBeNull()
  })

  test('a look that saw nothing says so, and not that it is too early', () => {
    const blind = later({ ...cut, without: ['kafka', 'checkpoint', 'spark', 'delta'] })
    const { outcome, says, missing } = check(proposal, before, blind, false)
    expect(outcome).toBeNull()
    expect(says).toBe(
      'Not seen since the change: slot time that is idle while a batch reads and works; the lag; kafka: not configured; checkpoint: not configured.',
    )
    expect(missing).toContain('the lag')
  })

  test('good readings for less than three minutes are no recovery, and not the last word', () => {
    expect(check(proposal, before, later(cut, 3900), false).outcome).toBeNull()
  })

  test('another cause that the diagnosis names now is where it moved', () => {
    const now = named(later(cut), 'slow_sink', { phase: 'sink' })
    const result = check(proposal, before, now)
    expect([result.outcome, result.says]).toEqual(['moved', 'What was found is gone, but now it is slow sink: slow sink was found.'])
  })

  test('the same cause at another partition has moved; at the same one it is not gone, whatever the readings say', () => {
    expect(check(proposal, before, named(later(cut), 'hot_partition', { partitions: [5] })).outcome).toBe('moved')
    const still = check(proposal, before, named(later(cut), 'hot_partition', { partitions: [3] }))
    expect([still.outcome, still.reasons[0]]).toEqual(['no_effect', 'the diagnosis still says: hot partition was found'])
  })

  test('readings that contradict each other decide nothing', () => {
    const evidence = evidenceOf({ ...cut, askedAt: 4300 })
    // A counter that lost half of its records: arrived - finished is no longer the change of the lag.
    const broken = lookOf(evidence)
    const lag = { ...broken.timeline.lag, v: broken.timeline.lag.v.map((v, i) => (v === null ? null : v + i * 2000)) }
    const result = check(proposal, before, { ...broken, timeline: { ...broken.timeline, lag } })
    expect([result.outcome, result.says]).toEqual([
      'cannot_tell',
      expect.stringMatching(/^Intake, consumption and lag do not add up by \d+ %/),
    ])
  })

  test('the window of the later look may begin anywhere', () => {
    const evidence = evidenceOf({ ...cut, askedAt: 4300 })
    const result = check(proposal, before, lookOf(movedBy(evidence, 900)))
    expect(result).toEqual(check(proposal, before, lookOf(evidence)))
  })

  test('the same looks give the same words', () => {
    expect(JSON.stringify(check(proposal, before, later(cut)))).toBe(JSON.stringify(check(proposal, before, later(cut))))
  })
})

describe('a surge, and executors', () => {
  const surge: Motion = { rate: (_, t) => changing(50, 125)(t) }
  const before = lookAt(surge)
  const proposal = proposed(propose(before, undeclared))
  const grown: Motion = { ...surge, restarts, slots: changing(4, 8, 3625), executors: [[3650, 4]] }

  test.each<[string, Motion, RecoveryOutcome, RegExp]>([
    [
      'they came, and the reader keeps up',
      grown,
      'recovered',
      /66 % \(11[78] % before\); the lag is 3,3\d\d records, and at most 5,00\d were expected/,
    ],
    ['they were asked for, and none came', { ...surge, restarts }, 'not_applied', /2 executors, 2 before, 4 wanted/],
    [
      'they came, and the surge was over',
      { ...grown, rate: (_, t) => (t > since && t < 3700 ? 125 : 50) },
      'by_itself',
      /intake fell from 1,000 records\/s to 400 records\/s/,
    ],
    [
      'a healthy count alone is nothing: each record costs four times as much',
      { ...grown, perRecordMs: changing(4, 16, 3650) },
      'worse',
      /^It got worse: time that the reader needs/,
    ],
    [
      'every third batch is as slow as before',
      { ...grown, commitS: (t) => (Math.floor(t / 5) % 3 === 0 ? 4.4 : 0.4) },
      'no_effect',
      /time that the reader needs/,
    ],
    [
      'they came, and do next to nothing',
      { ...grown, slots: () => 4 },
      'no_effect',
      /^It brought 1\d % of what was expected: time that the reader needs/,
    ],
  ])('%s', (_, motion, outcome, says) => {
    const result = check(proposal, before, later(motion, 4800))
    expect([result.outcome, result.says]).toEqual([outcome, expect.stringMatching(says)])
  })
})

describe('a lost executor', () => {
  const lost = (back: number | null, slots: (t: number) => number): Motion => ({
    lost: [{ at: since + 1, back }],
    slots,
    perRecordMs: () => 7,
  })
  const before = lookAt(lost(null, changing(4, 2, since + 1)))
  const proposal = proposed(propose(before, undeclared))

  test('it came back, and batches are in time again: no restart, so two batches are enough to settle', () => {
    const result = check(proposal, before, later(lost(3640, (t) => (t > since + 1 && t < 3640 ? 2 : 4))))
    expect(result.outcome).toBe('recovered')
    expect(result.reasons.join('\n')).not.toContain('started anew')
  })

  test('it counts as healthy again, and batches are as long as before: that is no recovery', () => {
    const result = check(proposal, before, later(lost(3640, changing(4, 2, since + 1)), 4800))
    expect(result.outcome).toBe('no_effect')
    expect(result.measured.find(({ signal }) => signal === 'executor.count')?.back).toBe(true)
  })
})

describe('a cap, raised', () => {
  const capped = (cap: Motion['cap'] & {}): Motion => ({ rate: (_, t) => changing(50, 87.5, 3400)(t), cap })
  const before = named(lookAt(capped(2000)), 'rate_cap')
  const proposal = proposed(propose(before, undeclared))
  const raised = (to: number): Motion => ({ ...capped(changing(2000, to, 3625)), restarts })

  test('batches hold more than the old cap, and the lag falls', () => {
    const result = check(proposal, before, later(raised(proposal.action.to)))
    expect(result.outcome).toBe('recovered')
    expect(result.reasons.join('\n')).toMatch(/setting: turned, a batch held 3,\d+ records, more than the old cap allows/)
  })

  test('batches still hold the old number', () => {
    const result = check(proposal, before, later({ ...capped(2000), restarts }))
    expect([result.outcome, result.says]).toEqual([
      'not_applied',
      'The setting is still the old one: its batches still hold 2,000 records each.',
    ])
  })
})

/** The same evidence with a window that begins so many seconds later. */
function movedBy(evidence: ReturnType<typeof evidenceOf>, by: number): typeof evidence {
  const at = (t: number) => t - by
  return {
    ...evidence,
    window: { ...evidence.window, from: new Date(Date.parse(evidence.window.from) + by * 1000).toISOString() },
    series: evidence.series.map((one) => ({ ...one, t: one.t.map(at) })),
    commits: evidence.commits.map((one) => ({ ...one, at: at(one.at) })),
    events: evidence.events.map((one) => ({ ...one, at: at(one.at) })),
    batches: evidence.batches.map((one) => ({
      ...one,
      start: at(one.start),
      end: one.end === null ? null : at(one.end),
      ...(one.jobs === undefined
        ? {}
        : { jobs: one.jobs.map((job) => ({ ...job, start: at(job.start), end: job.end === null ? null : at(job.end) })) }),
    })),
  }
}
