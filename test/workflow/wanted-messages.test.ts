/** From one move of an incident to the next only what reads differently is sent. */
import { describe, expect, test } from 'vitest'
import { admit } from '../../src/incident/admit.ts'
import { conclude, failed } from '../../src/incident/conclude.ts'
import type { Incident, VerdictNote } from '../../src/incident/incident.ts'
import { join } from '../../src/incident/join.ts'
import { joinUnmapped } from '../../src/incident/join-unmapped.ts'
import { noPipeline } from '../../src/incident/unmapped.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { decide } from '../../src/signoff/decide.ts'
import { consequences } from '../../src/workflow/consequences.ts'
import type { Wanted } from '../../src/workflow/incident-ports.ts'
import { teller } from '../../src/workflow/teller.ts'
import { wantedMessages } from '../../src/workflow/wanted-messages.ts'
import { bundleOf, judgedOf, ordersAudience } from '../build/attend-ports.ts'
import { alert, checked, command, looked, minute, opened, press, proposal, routing, second, verdict } from '../build/incident.ts'

const clock = wallClock('UTC')

function wanted(incident: Incident | null, edition: number): Wanted[] {
  if (incident === null) return []
  const { verdict: note } = incident
  const judged = note === null ? null : judgedOf(bundleOf(note.cause === 'slow_sink' ? 'slow_sink' : 'hot_partition'))
  return wantedMessages(incident, { judged, clock, edition })
}

/** Slots of what is sent, without the incident's id. */
function sent(before: Incident | null, after: Incident, edition = 7): string[] {
  const messages = { before: wanted(before, edition - 1), after: wanted(after, edition) }
  return consequences(before, after, messages, 2, minute(2)).messages.map(({ slot }) => slot.slice('i-1/'.length))
}

const ask = (incident: Incident, more: Parameters<typeof command>[0]) =>
  join(incident, command(more), 1, more?.atMs ?? minute(0), '', routing)
const concluded = (incident: Incident, more: Partial<VerdictNote> = {}) => conclude(incident, verdict(more), proposal(), minute(1))

const two = ask(opened(), { key: 'cmd-2', by: { team: 'T1', user: 'U-bob' }, channel: 'C-other', atMs: second(5) })
const known = concluded(two)
const { hash } = known.proposals[0]!
const proposed = `home/proposal-${hash.slice(0, 12)}`

test('who asks is answered at once, and another channel gets its own message', () => {
  expect(sent(null, opened())).toEqual(['home'])
  expect(sent(opened(), two)).toEqual(['home', 'companion/C-other'])
})

test('a verdict edits both alike; evidence and proposal stand in the thread of the home alone', () => {
  expect(sent(two, known)).toEqual(['home', 'home/verdict-1', 'home/details', proposed, 'companion/C-other', 'companion/C-other/verdict-1'])
})

test('the picture for a phone stands in the messages, the one for a screen with the details', () => {
  const drawn = concluded(two, { chart: 'small', wholeChart: 'whole' })
  expect(wanted(drawn, 7).flatMap(({ slot, picture }) => (picture === null ? [] : [[slot, picture.blob]]))).toEqual([
    ['i-1/home', 'small'],
    ['i-1/home/details', 'whole'],
    ['i-1/companion/C-other', 'small'],
  ])
})

test('the same again is not sent', () => {
  expect(sent(known, known)).toEqual([])
  expect(sent(known, { ...known, lastTriggerMs: minute(9) })).toEqual([])
})

test('a decision edits both messages and is said in both threads', () => {
  const decided = decide(known, press(hash), { team: 'T1', ...ordersAudience }, minute(5), 2)
  const after = decided.kind === 'decided' ? decided.incident : known
  expect(sent(known, after)).toEqual(['home', 'home/sign-off-2', 'companion/C-other', 'companion/C-other/sign-off-2'])
})

describe('replies', () => {
  const orderOf = (incident: Incident, root = 'home'): string[] => {
    const order: string[] = []
    const replies = wanted(incident, 7).filter(({ under }) => under === `i-1/${root}`)
    for (let after: string | undefined; order.length <= replies.length; after = `i-1/${root}/${order.at(-1)}`) {
      const next = replies.find((one) => one.after === after)
      if (next === undefined) return order
      order.push(next.slot.slice(`i-1/${root}/`.length))
    }
    return [...order, 'for ever']
  }
  const decided = (incident: Incident, n: number, more: Parameters<typeof press>[1] = {}): Incident => {
    const outcome = decide(incident, press(hash, more), { team: 'T1', ...ordersAudience }, minute(n), n)
    return outcome.kind === 'decided' ? outcome.incident : incident
  }
  const reply = proposed.slice('home/'.length)

  test('come one after the other, as things happened', () => {
    expect(orderOf(known)).toEqual(['verdict-1', 'details', reply])
    const approved = decided(known, 5)
    const applied = { ...approved, recovery: checked({ hash, outcome: 'recovered', says: 'It recovered.', looks: [looked(9)] }) }
    expect(orderOf(applied)).toEqual(['verdict-1', 'details', reply, 'sign-off-5', 'recovery-1796047560000'])
    expect(orderOf(applied, 'companion/C-other')).toEqual(['verdict-1', 'sign-off-5', 'recovery-1796047560000'])
  })

  test('to another verdict come after what was decided on the first', () => {
    const declined = decided(known, 5, { button: 'decline', reason: 'not now' })
    const other = conclude(declined, verdict({ revision: 2, cause: 'slow_sink', atMs: minute(6), edition: 9 }), proposal(12), minute(6))
    const [, next] = other.proposals
    expect(orderOf(other)).toEqual(['details', reply, 'sign-off-5', 'verdict-2', `proposal-${next!.hash.slice(0, 12)}`])
  })

  test('that stand already are not sent anew because something happened before them', () => {
    const [first, ...rest] = wanted(known, 6)
    const after = [first!, ...rest.map((one) => ({ ...one, after: 'i-1/home/other' }))]
    expect(consequences(known, known, { before: [first!, ...rest], after }, 2, minute(2)).messages).toEqual([])
  })
})

test('a proposal that comes again after it was declined has its own message and its own line in the ledger, each time', () => {
  const decline = (from: Incident, n: number): Incident => {
    const decided = decide(from, press(hash, { button: 'decline', reason: 'not now' }), { team: 'T1', ...ordersAudience }, minute(n), n)
    return decided.kind === 'decided' ? decided.incident : from
  }
  let before = decline(known, 5)
  for (const revision of [2, 3]) {
    const again = concluded(before, { revision, bundle: `b${revision}` })
    expect(sent(before, again)).toContain(`${proposed}-${revision}`)
    expect(sent(before, again)).not.toContain(proposed)
    const { drafts } = consequences(before, again, { before: [], after: [] }, 1, minute(6))
    expect(drafts).toMatchObject([{ what: 'opened', proposal: hash, details: { evidence: `b${revision}` } }])
    before = decline(again, 6 + revision)
    expect(before.proposals.map(({ state }) => state)).toEqual(Array.from({ length: revision }, () => 'declined'))
  }
})

describe('a later verdict', () => {
  const alerted = concluded(opened(alert()))
  const again = (incident: Incident, by: ReturnType<typeof alert> | ReturnType<typeof command>): Incident =>
    join(incident, by, 1, by.atMs, '', routing)
  const repeated = again(alerted, alert({ key: 'al-2', atMs: minute(20) }))
  const replies = (before: Incident, more: Partial<VerdictNote> = {}) =>
    sent(before, concluded(before, { revision: 2, atMs: minute(21), edition: 9, ...more })).filter((slot) => slot.includes('verdict'))

  test('that says the same about the same alert is no news', () => {
    expect(replies(repeated)).toEqual([])
  })

  test('that says something else is told', () => {
    expect(replies(repeated, { cause: 'slow_sink' })).toEqual(['home/verdict-2'])
  })

  test('is no news either after a storm of other alerts, whose triggers are kept no longer than the newest', () => {
    const known = concluded(repeated, { revision: 2, atMs: minute(21), edition: 9 })
    const storm = Array.from({ length: 60 }, (_, n) => alert({ key: `storm-${n}`, fingerprint: `f-${n}`, atMs: minute(21) + n }))
    expect(sent(known, storm.reduce(again, known)).filter((slot) => slot.includes('verdict'))).toEqual([])
  })

  test('is no news either after many looks that failed', () => {
    const known = concluded(repeated, { revision: 2, atMs: minute(21), edition: 9 })
    const failures = Array.from({ length: 30 }, (_, n) => alert({ key: `again-${n}`, atMs: minute(40 + 11 * n) }))
    const after = failures.reduce((at, one) => {
      const joined = again(at, one)
      return failed(joined, joined.revisions.at(-1)!.number)
    }, known)
    expect(after.revisions.some(({ number }) => number === 2)).toBe(false)
    expect(sent(known, after).filter((slot) => slot.includes('verdict'))).toEqual([])
  })

  test('is told as it was where an older version kept it', () => {
    const { byAlert: _, ...old } = concluded(repeated, { revision: 2, atMs: minute(21), edition: 9 }).verdict!
    expect(wanted({ ...repeated, verdict: old }, 7).map(({ slot }) => slot)).toContain('i-1/home/verdict-1')
  })

  test('is told to who asked for it, also when it says the same', () => {
    expect(replies(again(alerted, command({ channel: 'C-alerts', atMs: minute(20) })))).toEqual(['home/verdict-2'])
  })
})

test('what becomes of an incident does not change what was said of its verdict', () => {
  const reply = (incident: Incident) => wanted(incident, 7).find(({ slot }) => slot === 'i-1/home/verdict-1')
  const recovery = checked({ hash, outcome: 'recovered', says: 'It recovered.' })
  expect(reply({ ...known, recovery })).toEqual(reply(known))
})

test('the home of an alert waits for the verdict, and no longer', () => {
  const home = (incident: Incident) => wanted(incident, 2)[0]
  expect(home(opened(alert()))).toMatchObject({ channel: 'C-alerts', notBeforeMs: second(8) })
  expect(home(concluded(opened(alert())))).toMatchObject({ notBeforeMs: minute(0) })
})

test('a channel that lets the app in later is told everything then, and the other nothing new', () => {
  const input = { kind: 'admitted', key: 'm-1', atMs: minute(30), pipeline: 'orders', channel: 'C-other' } as const
  const after = admit(known, input, minute(30))
  expect(sent(known, after)).toEqual(['companion/C-other', 'companion/C-other/verdict-1'])
  expect(
    wanted(after, 8)
      .filter(({ channel }) => channel === 'C-other')
      .map(({ notBeforeMs }) => notBeforeMs),
  ).toEqual([minute(30), minute(30)])
  expect(admit(known, { ...input, channel: 'C-none' }, minute(30))).toBe(known)
})

test('alerts of no pipeline are told anew in a channel that lets the app in later', () => {
  const unmapped = { ...alert({ pipeline: noPipeline }), kind: 'unmapped', pipeline: noPipeline } as const
  const list = joinUnmapped(null, unmapped, 1, minute(0), 'i-1', routing)
  const input = { kind: 'admitted', key: 'm-1', atMs: minute(30), pipeline: noPipeline, channel: 'C-alerts' } as const
  expect(sent(list, admit(list, input, minute(30)))).toEqual(['home'])
})

describe('evidence', () => {
  const bundle = bundleOf('hot_partition')
  const told = async (bytes: Uint8Array | null) => {
    let judged = 0
    const judge = (kept: Uint8Array) => {
      judged++
      return judgedOf(kept)
    }
    const { after } = await teller({ bytes: async () => bytes, judge, zone: 'UTC' }).wanted(known, { ...known, lastTriggerMs: 0 }, 8)
    return { judged, slots: after.map(({ slot }) => slot), home: after[0]! }
  }

  test('is judged once for what was and what is', async () => {
    expect(await told(bundle)).toMatchObject({ judged: 1 })
  })

  test('that is kept no longer leaves the conclusion standing', async () => {
    const { slots, home } = await told(null)
    expect(home.text).toBe('orders: one partition takes more than its reader can work off')
    expect(slots).not.toContain('i-1/home/details')
  })
})
