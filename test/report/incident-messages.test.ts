/** What people read of an incident, from the question to its end. Few rows: all of it has to fit on a phone. */
import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident, ProposalCard, RecoveryCheck, VerdictNote } from '../../src/incident/incident.ts'
import { join } from '../../src/incident/join.ts'
import { passTime } from '../../src/incident/pass-time.ts'
import type { Remedy } from '../../src/incident/proposal.ts'
import type { Judged } from '../../src/report/messages/incident/home.ts'
import { homeMessage } from '../../src/report/messages/incident/home.ts'
import {
  decisionMessage,
  detailsMessage,
  proposalMessage,
  recoveryMessage,
  verdictReply,
} from '../../src/report/messages/incident/thread.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { alert, checked, command, looked, minute, opened, proposal, routing, second, verdict } from '../build/incident.ts'
import { messageText } from '../build/message-text.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'

const clock = wallClock('Europe/Berlin')
const timeline = timelineOf({ kind: 'hot_partition' })
const judged: Judged = { timeline, attribution: verdictOf('hot_partition', timeline) }
const alerted = join(opened(), alert({ atMs: second(5) }), 1, second(5), '', routing)
const known = conclude(alerted, verdict(), proposal(), minute(1))
const [card] = known.proposals
const approved: Incident = {
  ...known,
  proposals: [
    {
      ...card!,
      state: 'approved',
      decisions: [{ what: 'approve', by: { team: 'T1', user: 'U-owner' }, atMs: minute(5), reason: '', ledger: 2, anchor: '0123456789ab' }],
    },
  ],
}
const said = (incident: Incident, of: Judged | null = judged): string => messageText(homeMessage(incident, of, clock))

describe('the message of an incident', () => {
  test('before its verdict', () => {
    expect(said(opened(), null)).toMatchInlineSnapshot(`
      "! orders: looking at the whole path…
      # orders: looking at the whole path…
      Asked: by @U-ann
      . by @U-ann"
    `)
    expect(said(opened(alert({ summary: 'lag of orders is above 100,000' })), null)).toMatchInlineSnapshot(`
      "! orders: looking at the whole path…
      # orders: looking at the whole path…
      Alert: lag of orders is above 100,000
      . alert LagHigh"
    `)
  })

  test('with its verdict', () => {
    expect(said(known)).toMatchInlineSnapshot(`
      "! orders: one partition takes more than its reader can work off
      # orders: one partition takes more than its reader can work off
      Where: topic orders, partition 3
      Since: between 14:01:55 Europe/Berlin and 14:02:05 Europe/Berlin
      How sure: very likely
      Cost: lag 130 k records, before 2,180
      Objective: 2 min, missed 14:04:00 Europe/Berlin
      (picture)
      Do: minPartitions: not set → 24 tasks (query orders)
      [Approve] [Decline…] [More…]
      . by @U-ann, alert LagHigh
      . looked at 15:01:00 Europe/Berlin · more in the thread"
    `)
  })

  test('an objective that is not missed yet is told as briefly', () => {
    const what = 'without a new commit the table passes its objective of 2 min'
    const soon = { kind: 'objective_breaks', at: timeline.now + 30, partition: null, what } as const
    const attribution = { ...judged.attribution, deadlines: [soon] }
    expect(said(known, { timeline, attribution })).toMatch(/^Deadline: \d\d:\d\d:\d\d Europe\/Berlin, objective 2 min$/m)
  })

  test('approved', () => {
    expect(said(approved)).toMatchInlineSnapshot(`
      "! orders: one partition takes more than its reader can work off
      # orders: one partition takes more than its reader can work off
      Where: topic orders, partition 3
      Since: between 14:01:55 Europe/Berlin and 14:02:05 Europe/Berlin
      How sure: very likely
      Cost: lag 130 k records, before 2,180
      Objective: 2 min, missed 14:04:00 Europe/Berlin
      (picture)
      Do: minPartitions: not set → 24 tasks (query orders)
      Sign-off: approved by @U-owner
      [Applied] [Withdraw…]
      . by @U-ann, alert LagHigh
      . looked at 15:01:00 Europe/Berlin · more in the thread"
    `)
  })

  test('approved, while a later look found something else: whoever is about to apply it is told', () => {
    const but = 'But: the newest look does not support this change any more; withdraw it, unless it is applied already'
    const later = (more: Partial<VerdictNote>, remedy: Remedy) =>
      said(conclude(approved, verdict({ revision: 2, atMs: minute(20), ...more }), remedy, minute(20)))
    const refusal = { kind: 'refusal', reason: 'nothing to change', needs: null } as const
    expect(later({}, proposal(36))).toContain(but)
    expect(later({ cause: 'slow_sink' }, refusal)).toContain(but)
    expect(later({}, { ...proposal(), arithmetic: ['other numbers'] })).not.toContain('But:')
    expect(later({ outcome: 'inconclusive', cause: null }, refusal)).not.toContain('But:')
  })

  test('approved and not applied in time', () => {
    expect(said(passTime(approved, minute(245)))).toContain(
      'Sign-off: expired: approved by @U-owner, not applied in time, and the evidence is too old',
    )
  })

  test('recovered and closed', () => {
    const recovery = checked({ hash: card!.hash, outcome: 'recovered' })
    const end = { state: 'closed', closedAtMs: minute(30), closedBecause: 'recovered' } as const
    expect(said({ ...approved, recovery, ...end })).toMatchInlineSnapshot(`
      "! orders: recovered, as the change predicted
      # orders: recovered, as the change predicted
      It was: one partition takes more than its reader can work off
      Where: topic orders, partition 3
      Since: between 14:01:55 Europe/Berlin and 14:02:05 Europe/Berlin
      (picture)
      Do: minPartitions: not set → 24 tasks (query orders)
      Sign-off: approved by @U-owner
      . by @U-ann, alert LagHigh
      . looked at 15:01:00 Europe/Berlin · more in the thread
      . Closed after 30 min: it recovered"
    `)
  })

  test('where a change did not help: what it was, until a newer verdict says what it is', () => {
    const recovery = checked({ hash: card!.hash, looks: [looked(12)], outcome: 'no_effect' })
    const incident = { ...approved, recovery }
    expect(said(incident).split('\n').slice(1, 4)).toEqual([
      '# orders: the change had no effect',
      'It was: one partition takes more than its reader can work off',
      'Where: topic orders, partition 3',
    ])
    expect(said({ ...incident, verdict: verdict({ revision: 2, atMs: minute(13) }) })).toContain(
      '# orders: one partition takes more than its reader can work off',
    )
  })

  describe('after a change was applied', () => {
    const decisions = [
      ...approved.proposals[0]!.decisions,
      { ...approved.proposals[0]!.decisions[0]!, what: 'applied', atMs: minute(6), ledger: 3 } as const,
    ]
    type Outcome = NonNullable<RecoveryCheck['outcome']>
    const turned = (outcome: Outcome | null, more: Partial<ProposalCard> = {}): Incident => ({
      ...approved,
      proposals: [{ ...card!, state: outcome === 'not_applied' ? 'approved' : 'applied', decisions, outcome, ...more }],
      recovery: checked({ hash: card!.hash, looks: [looked(12)], outcome, says: 'Batches take 20 s.' }),
    })
    const change = 'minPartitions: not set → 24 tasks (query orders)'
    const undo = 'Undo: minPartitions back to not set'
    const rows = (incident: Incident): string[] =>
      said(incident)
        .split('(picture)\n')[1]!
        .split('\n')
        .filter((line) => !line.startsWith('. '))

    test.each<[Outcome | null, string[]]>([
      [null, [`Was applied: ${change}`, 'Sign-off: applied by @U-owner', '[Taken back]']],
      ['worse', [`Was applied: ${change}`, 'Sign-off: applied by @U-owner', undo, '[Taken back]']],
      ['no_effect', [`Was applied: ${change}`, 'Sign-off: applied by @U-owner', undo, '[Taken back]']],
      ['moved', [`Was applied: ${change}`, 'Sign-off: applied by @U-owner', undo, '[Taken back]']],
      ['cannot_tell', [`Was applied: ${change}`, 'Sign-off: applied by @U-owner', '[Taken back]']],
      // It is approved still, and not said to be in force beside a button that asks whether it is.
      ['not_applied', [`Do: ${change}`, 'Sign-off: approved by @U-owner', '[Applied] [Withdraw…]']],
    ])('%s', (outcome, expected) => {
      expect(rows(turned(outcome))).toEqual(expected)
    })

    test('the undo stands until it is said to be done, also when a newer verdict tells something else', () => {
      const newer = { ...turned('no_effect'), verdict: verdict({ revision: 2, atMs: minute(20) }), remedy: null }
      expect(rows(newer)).toEqual([undo, '[Taken back]'])
      const back = [...decisions, { ...decisions[0]!, what: 'taken_back', ledger: 4 } as const]
      expect(rows(turned('worse', { state: 'withdrawn', decisions: back }))).toEqual([
        `Was applied: ${change}`,
        'Sign-off: taken back by @U-owner',
      ])
    })

    test('another proposal does not hide what is in force, and the end does not take its button away', () => {
      const vain = turned('no_effect')
      const other = conclude({ ...vain, recovery: null }, verdict({ revision: 2, atMs: minute(20) }), proposal(48), minute(20))
      const next = other.proposals.at(-1)!
      const executors = { ...next.proposal, action: { ...next.proposal.action, knob: 'executors' as const } }
      const both = { ...other, proposals: [...vain.proposals, { ...next, proposal: executors }] }
      expect(rows(both)).toContain(undo)
      expect(rows(both).at(-1)).toBe('[Approve] [Decline…] [More…] [Taken back]')
      // The same setting set anew takes its place.
      const same = { ...both, proposals: [...vain.proposals, { ...next, state: 'applied' as const }] }
      expect(rows(same)).not.toContain(undo)
      expect(rows({ ...vain, state: 'closed', closedAtMs: minute(40), closedBecause: 'resolved' }).at(-1)).toBe('[Taken back]')
    })

    test('the reply says how to undo what did not help', () => {
      const told = (outcome: Outcome): string => messageText(recoveryMessage(turned(outcome))!)
      for (const outcome of ['worse', 'no_effect', 'moved'] as const)
        expect(told(outcome)).toContain('To undo:\n  · remove minPartitions and restart the query')
      for (const outcome of ['recovered', 'by_itself', 'cannot_tell', 'not_applied'] as const) expect(told(outcome)).not.toContain('undo')
    })

    test('where nothing is to be done nobody is told to do it', () => {
      for (const state of ['declined', 'withdrawn', 'expired'] as const)
        expect(rows({ ...known, proposals: [{ ...card!, state }] })[0]).toBe(`Proposed: ${change}`)
      expect(rows({ ...known, proposals: [card!] })[0]).toBe(`Do: ${change}`)
    })
  })

  test('inconclusive', () => {
    const attribution = {
      ...judged.attribution,
      outcome: 'inconclusive',
      cause: null,
      reason: 'tie:hot_partition,straggler_host',
      decidingSignal: 'stage task times',
      howToDecide: 'let Headwater reach the driver at http://driver-1:4040',
    } as const
    const note = verdict({ outcome: 'inconclusive', cause: null })
    const refusal = { kind: 'refusal', reason: 'which of two causes it is cannot be told', needs: null } as const
    expect(said(conclude(opened(), note, refusal, minute(1)), { timeline, attribution })).toMatchInlineSnapshot(`
      "! orders: inconclusive, hot partition and slow host explain what was seen equally well
      # orders: inconclusive, hot partition and slow host explain what was seen equally well
      Suspect: topic orders, partition 3
      Since: between 14:01:55 Europe/Berlin and 14:02:05 Europe/Berlin
      Cost: lag 130 k records, before 2,180
      Objective: 2 min, missed 14:04:00 Europe/Berlin
      Would tell: stage task times
      To get it: let Headwater reach the driver at http://driver-1:4040
      (picture)
      No change: before the cause is known
      . by @U-ann
      . looked at 15:01:00 Europe/Berlin · more in the thread"
    `)
  })

  test('where somebody else has to act', () => {
    const referral = { kind: 'referral', to: 'producer', say: ['One key makes up 60 % of orders: spread it over several keys.'] } as const
    expect(said(conclude(opened(), verdict(), referral, minute(1)))).toMatchInlineSnapshot(`
      "! orders: one partition takes more than its reader can work off
      # orders: one partition takes more than its reader can work off
      Where: topic orders, partition 3
      Since: between 14:01:55 Europe/Berlin and 14:02:05 Europe/Berlin
      How sure: very likely
      Cost: lag 130 k records, before 2,180
      Objective: 2 min, missed 14:04:00 Europe/Berlin
      (picture)
      Ask: the owner of the producer: One key makes up 60 % of orders: spread it over several keys.
      . by @U-ann
      . looked at 15:01:00 Europe/Berlin · more in the thread"
    `)
  })

  test('what is too long to be told here ends with a whole word', () => {
    const long = `${'Ask the platform what happened to the container of executor 2, '.repeat(4)}it exited with code 137.`
    const referral = { kind: 'referral', to: 'platform', say: [long] } as const
    const row = said(conclude(opened(), verdict(), referral, minute(1)))
      .split('\n')
      .find((line) => line.startsWith('Ask: '))!
    expect(row).toMatch(
      /^Ask: the owner of the platform: Ask the platform what happened .* (the|container|executor|happened|what|to|of|platform|2)…$/,
    )
    expect(row).not.toContain('137')
  })

  test('a lag that did not rise is not told as a loss', () => {
    const lag = { t: [0, timeline.now - 300, timeline.now], v: [1195, 1195, 1036] }
    const text = said(known, { ...judged, timeline: { ...timeline, lag } })
    expect(text).toContain('Cost: lag 1,036 records, no more than before\n')
  })

  test('times in what would tell are times of day', () => {
    const attribution = {
      ...judged.attribution,
      outcome: 'inconclusive',
      cause: null,
      decidingSignal: 'the next batch',
      howToDecide: 'look again at {at 0}',
    } as const
    expect(said(known, { timeline, attribution })).toMatch(/^To get it: look again at \d\d:\d\d:\d\d/m)
  })

  test('whose evidence is kept no longer', () => {
    expect(said(known, null)).toMatchInlineSnapshot(`
      "! orders: one partition takes more than its reader can work off
      # orders: one partition takes more than its reader can work off
      Found: partition 3 takes 5 times its share
      Do: minPartitions: not set → 24 tasks (query orders)
      [Approve] [Decline…] [More…]
      . by @U-ann, alert LagHigh
      . looked at 15:01:00 Europe/Berlin"
    `)
  })

  test('in another channel points at the thread of the home', () => {
    const companion = messageText(homeMessage(known, judged, clock, 'C-inc'))
    expect(companion).toContain('more in the thread in #C-inc')
    expect(companion.replace(' in #C-inc', '')).toBe(said(known))
    expect(messageText(homeMessage(opened(), null, clock, 'C-inc'))).toContain('. more in the thread in #C-inc')
  })

  test('says that it is looked at again, and that this failed', () => {
    const asked = (state: 'queued' | 'failed'): Incident => ({
      ...known,
      revisions: [...known.revisions, { number: 2, askedAtMs: minute(9), askedBy: 'x', sinceMs: null, state }],
    })
    expect(said(asked('queued'))).toContain('. Looking again…')
    expect(said(asked('failed'))).toContain('. A newer look failed.')
    expect(said(known)).not.toMatch(/Looking again|newer look/)
  })

  test('names an alert that goes on firing once', () => {
    const repeated = ['a', 'b', 'c'].reduce(
      (at, key, i) => join(at, alert({ key, atMs: minute(10 * i) }), 1, minute(10 * i), '', routing),
      opened(),
    )
    expect(said(repeated)).toContain('. by @U-ann, alert LagHigh\n')
  })

  const joined = (...triggers: (ReturnType<typeof alert> | ReturnType<typeof command>)[]): Incident =>
    triggers.reduce((at, one, n) => join(at, { ...one, key: `k-${n}`, atMs: second(n) }, 1, second(n), '', routing), opened())
  const by = (user: string) => command({ by: { team: 'T1', user } })
  const small = (incident: Incident): string =>
    said(incident)
      .split('\n')
      .find((line) => line.startsWith('. '))!

  test('lists who joined, as far as there is room, and counts the others', () => {
    expect(small(joined(by('U-bob')))).toBe('. by @U-ann, @U-bob')
    expect(small(joined(by('U-bob'), by('U-ann'), by('U-bob')))).toBe('. by @U-ann, @U-bob')
    expect(small(joined(alert(), alert({ fingerprint: 'f2', name: 'TableStale' }), by('U-bob')))).toBe(
      '. by @U-ann, alert LagHigh and 2 more',
    )
  })

  test('names whoever asked first also after a storm of alerts', () => {
    const storm = Array.from({ length: 80 }, (_, n) => alert({ fingerprint: `f-${n}`, name: `A${n}` }))
    expect(small(joined(...storm))).toMatch(/^\. by @U-ann, alert A\d+ and \d+ more$/)
  })

  test('leads to an alert where its sender says where it is to be seen', () => {
    const { body } = homeMessage(opened(alert({ url: 'https://alerts.example/1' })), null, clock)
    expect(body.at(-1)).toEqual({ kind: 'small', rows: [[{ link: 'https://alerts.example/1', words: 'alert LagHigh' }]] })
  })

  test('is short whatever others wrote: nothing they wrote makes it longer than a phone is high', () => {
    const long = 'x '.repeat(400)
    const wild = conclude(
      { ...opened(alert({ name: long, summary: long })), pipeline: long },
      verdict(),
      { ...proposal(), action: { ...proposal().action, scope: 'query orders' } },
      minute(1),
    )
    const text = said(wild)
    expect(text.split('\n').length).toBeLessThanOrEqual(16)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(200)
  })
})

describe('the thread', () => {
  test('a verdict that came by an edit', () => {
    expect(messageText(verdictReply(known, judged))).toMatchInlineSnapshot(`
      "! orders: one partition takes more than its reader can work off
      orders: one partition takes more than its reader can work off. See the message above."
    `)
  })

  test('who asked and when, where it was more than one', () => {
    const told = (incident: Incident): string => messageText(detailsMessage(incident, judged, clock))
    expect(told(known)).toContain('Asked by: @U-ann at 15:00:00 Europe/Berlin\nalert LagHigh at 15:00:05 Europe/Berlin')
    expect(told(opened())).not.toContain('Asked by')
    const storm = Array.from({ length: 80 }, (_, n) => alert({ key: `k-${n}`, fingerprint: `f-${n}` }))
    const many = storm.reduce((at, one) => join(at, one, 1, one.atMs, '', routing), opened())
    expect(told(many).split('\n').slice(-1)).toEqual(['and 69 more'])
  })

  test('what an owner signs', () => {
    expect(messageText(proposalMessage(card!))).toMatchInlineSnapshot(`
      "! Proposal: minPartitions: not set → 24 tasks (query orders)
      # Proposal: minPartitions: not set → 24 tasks (query orders)
      For: partition 3 of orders. Now: not set (inferred: 12 source tasks = 12 partitions).
      How the number comes about:
        · 12 partitions, the hot one takes 5 shares of 16
      Expected:
        · batches take 4 to 6 s within 3 min
        · lag drains within 10 min
      To apply (restarts the query):
        · set minPartitions to 24 and restart the query
      To test:
        · watch three batches
      To undo:
        · remove minPartitions and restart the query
      Stop if:
        · batches take longer than 14 s
      It will not fix:
        · the key that fills partition 3
      . An approval binds exactly this text, SHA-256 50e475cb4412."
    `)
  })

  test('a decision, with its number and the head of the ledger', () => {
    expect(messageText(decisionMessage(card!, approved.proposals[0]!.decisions[0]!))).toMatchInlineSnapshot(`
      "! Approved: minPartitions: not set → 24 tasks (query orders)
      Approved by @U-owner: minPartitions: not set → 24 tasks (query orders)
      . Ledger entry 2, 0123456789ab"
    `)
    const declined = { ...approved.proposals[0]!.decisions[0]!, what: 'decline', reason: 'not\nduring <!channel> *sales*' } as const
    expect(messageText(decisionMessage(card!, declined))).toMatchInlineSnapshot(`
      "! Declined: minPartitions: not set → 24 tasks (query orders)
      Declined by @U-owner: minPartitions: not set → 24 tasks (query orders)
      . Reason: “not during <!channel> *sales*”
      . Ledger entry 2, 0123456789ab"
    `)
  })

  test('a recovery: what it says, what that rests on, and what the looks before could tell', () => {
    const looks = [1, 2, 3, 4, 5].map((n) => looked(n, n < 5 ? `look ${n}: too early to say` : 'Batches take 6 s again.'))
    const says = { outcome: 'recovered', says: 'Batches take 6 s again.', reasons: ['batches: 6 s now, 14 s before'] } as const
    const recovery = checked({ hash: card!.hash, looks, ...says, chart: { blob: 'c', alt: 'before and after' } })
    expect(messageText(recoveryMessage({ ...approved, recovery })!)).toMatchInlineSnapshot(`
      "! orders: recovered, as the change predicted
      Batches take 6 s again.
      (picture)
      What this rests on:
        · batches: 6 s now, 14 s before
      . look 2: too early to say
      . look 3: too early to say
      . look 4: too early to say"
    `)
    expect(recoveryMessage(approved)).toBe(null)
    expect(recoveryMessage({ ...approved, recovery: checked({ looks: [looked(1, 'too early to say')] }) })).toBe(null)
  })
})

test('an open proposal that one of two owners has approved waits for the other', () => {
  const [one] = approved.proposals
  expect(said({ ...approved, proposals: [{ ...one!, state: 'open' }] })).toContain(
    'Sign-off: approved by @U-owner; another owner is needed',
  )
  expect(said({ ...approved, triggers: [command()] })).toContain('Sign-off: approved by @U-owner\n')
})
