/**
 * What every store promises, tried on each of them: nothing that was put is lost or dealt with twice, a change is written as a
 * whole or not at all, and what is kept for a time ends by itself.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Input } from '../../src/incident/input.ts'
import type { Attended, Change, Store } from '../../src/workflow/incident-ports.ts'
import { opened, proposal, verdict } from '../build/incident.ts'
import { alert, change, command, entriesAfter, incident, job, noon, press, wantedMessage } from '../build/stored-values.ts'
import { memoryKind, redisKind } from '../fakes/stores.ts'

const hour = 3_600_000
const proposalCard = conclude(opened(), verdict(), proposal(), noon).proposals[0]!

const keys = ({ inputs }: Attended): string[] => inputs.map(({ input }) => input.key)
const times = ({ inputs }: Attended): number[] => inputs.map(({ deliveries }) => deliveries)
const marks = ({ inputs }: Attended): string[] => inputs.map(({ mark }) => mark)

async function putAll(store: Store, inputs: readonly Input[]): Promise<string[]> {
  const answers: string[] = []
  for (const input of inputs) answers.push(await store.put(input))
  return answers
}

/** Kinds and pipelines of the jobs asked for; takes them over, so that a second look shows only what came after. */
async function takeAsked(store: Store, nowMs = noon): Promise<string[]> {
  const jobs = await store.asked(nowMs, 100)
  await store.handedOver(jobs.map(({ key }) => key))
  return jobs.map(({ kind, of }) => `${kind} ${of}`)
}

for (const kind of [memoryKind(), redisKind()]) {
  describe.skipIf(!kind.here)(`a store ${kind.name}`, () => {
    beforeAll(kind.begin)
    afterAll(kind.end)

    describe('inputs', () => {
      test('wait in the order they came, each once, however often it was delivered', async () => {
        const { store } = await kind.open()
        const answers = await putAll(store, [command('a'), press('b'), command('a'), command('a')])
        const attended = await store.attend('orders', 10)
        expect(answers).toEqual(['stored', 'stored', 'known', 'known'])
        expect(keys(attended)).toEqual(['a', 'b'])
        expect(times(attended)).toEqual([3, 1])
        expect(attended.inputs[1]?.input).toEqual(press('b'))
        expect(keys(await store.attend('orders', 1))).toEqual(['a'])
        expect(keys(await store.attend('payments', 10))).toEqual([])
      })

      test('that were dealt with do not come back', async () => {
        const { store } = await kind.open()
        await putAll(store, [command('a'), command('b')])
        const attended = await store.attend('orders', 1)
        expect(await store.commit(change({ inputs: marks(attended) }))).toBe('done')
        expect(await store.put(command('a'))).toBe('known')
        expect(keys(await store.attend('orders', 10))).toEqual(['b'])
      })

      test('that two workers read are dealt with by one of them', async () => {
        const { store } = await kind.open()
        await store.put(command('a'))
        const [one, other] = [await store.attend('orders', 10), await store.attend('orders', 10)]
        expect(await store.commit(change({ inputs: marks(one) }))).toBe('done')
        expect(await store.commit(change({ inputs: marks(other), jobs: [job('twice')] }))).toBe('conflict')
        expect(await takeAsked(store)).toEqual(['attend orders'])
      })

      test('an alert that repeats itself is one input, the newest', async () => {
        const { store } = await kind.open()
        const answers = await putAll(store, [alert('a', { summary: 'old' }), command('c'), alert('b', { summary: 'new' }), alert('b')])
        const attended = await store.attend('orders', 10)
        expect(answers).toEqual(['stored', 'stored', 'stored', 'known'])
        expect(keys(attended)).toEqual(['b', 'c'])
        expect(times(attended)).toEqual([3, 1])
        expect(attended.inputs[0]?.input).toMatchObject({ summary: 'new' })
        await store.commit(change({ inputs: marks(attended) }))
        expect(await putAll(store, [alert('a'), alert('b')])).toEqual(['known', 'known'])
        expect(keys(await store.attend('orders', 10))).toEqual([])
      })

      test('an alert that fires, resolves and fires again is three inputs; another fingerprint is another alert', async () => {
        const { store } = await kind.open()
        const resolved = { status: 'resolved' } as const
        await putAll(store, [alert('1'), alert('2', resolved), alert('3'), alert('4', { fingerprint: 'fresh' }), alert('5')])
        const attended = await store.attend('orders', 10)
        expect(keys(attended)).toEqual(['1', '2', '5', '4'])
        expect(times(attended)).toEqual([1, 1, 2, 1])
      })

      test('an alert that fires and resolves twice with one and the same start ends as resolved; late copies are told apart', async () => {
        const { store } = await kind.open()
        const says = async (status: 'firing' | 'resolved', second: number) => {
          const answer = await store.put(alert(status, { status, atMs: noon + second * 1000 }))
          await store.commit(change({ inputs: marks(await store.attend('orders', 10)) }))
          return answer
        }
        expect([await says('firing', 0), await says('resolved', 30)]).toEqual(['stored', 'stored'])
        // The second of two senders, and one that comes again because its answer was lost.
        expect([await says('firing', 31), await says('resolved', 32)]).toEqual(['known', 'known'])
        expect([await says('firing', 91), await says('firing', 92)]).toEqual(['stored', 'known'])
        expect([await says('resolved', 95), await says('resolved', 96), await says('firing', 97)]).toEqual(['stored', 'known', 'known'])
      })

      test('a repetition that comes while somebody decides is left for the next one', async () => {
        const { store } = await kind.open()
        await putAll(store, [alert('a'), alert('b')])
        const read = await store.attend('orders', 10)
        await putAll(store, [alert('c'), alert('d', { status: 'resolved' })])
        await takeAsked(store)
        expect(await store.commit(change({ inputs: marks(read) }))).toBe('done')
        expect(await takeAsked(store)).toEqual(['attend orders'])
        const left = await store.attend('orders', 10)
        expect(keys(left)).toEqual(['c', 'd'])
        expect(times(left)).toEqual([1, 1])
        expect(await store.commit(change({ inputs: marks(read) }))).toBe('conflict')
      })

      test('the same delivery twice while somebody decides is nothing new', async () => {
        const { store } = await kind.open()
        await store.put(alert('a'))
        const read = await store.attend('orders', 10)
        await store.put(alert('a'))
        await store.commit(change({ inputs: marks(read) }))
        expect(keys(await store.attend('orders', 10))).toEqual([])
      })

      test('beyond the bound the sender is told to come again, and a repetition still finds its place', async () => {
        const { store } = await kind.open({ mostWaiting: 2 })
        await putAll(store, [alert('a'), command('b')])
        await expect(store.put(command('c'))).rejects.toMatchObject({ code: 'inbox_full', retryable: true })
        expect(await store.put(alert('d'))).toBe('stored')
        expect(await store.put(command('c', { pipeline: 'payments' }))).toBe('stored')
      })

      test('are recognised for as long as configured', async () => {
        const { store, pass } = await kind.open({ knownMs: 2 * hour })
        await store.put(command('a'))
        await store.commit(change({ inputs: marks(await store.attend('orders', 1)) }))
        expect(await store.put(command('a'))).toBe('known')
        await pass(2 * hour)
        expect(await store.put(command('a'))).toBe('stored')
      })

      test('keep every character', async () => {
        const { store } = await kind.open()
        const summary = 'naïve "quotes" \\ \u0000 \ud800 </script> %s 漢字 🦆 \r\n'
        const odd = alert('a:/ %1', { summary, pipeline: 'or"ders/%d é', labels: { 'x"y': '', n: '1e999' }, fingerprint: "'--" })
        await store.put(odd)
        expect((await store.attend(odd.pipeline, 1)).inputs[0]?.input).toEqual(odd)
        expect((await store.asked(noon, 1))[0]).toMatchObject({ kind: 'attend', of: odd.pipeline })
      })
    })

    describe('inputs that nobody can deal with', () => {
      test('are set aside with the reason, newest first, and wait no longer', async () => {
        const { store } = await kind.open({ mostAside: 2 })
        await putAll(store, [command('a'), command('b'), command('c')])
        const attended = await store.attend('orders', 3)
        const aside = attended.inputs.map(({ input }) => ({ input, atMs: noon, why: `cannot deal with ${input.key}` }))
        expect(await store.commit(change({ inputs: marks(attended).slice(0, 1), aside: aside.slice(0, 1) }))).toBe('done')
        expect(await store.aside(10)).toEqual(aside.slice(0, 1))
        expect(keys(await store.attend('orders', 10))).toEqual(['b', 'c'])
        await store.commit(change({ inputs: marks(attended).slice(1), aside: aside.slice(1) }))
        expect(await store.aside(10)).toEqual([aside[2], aside[1]])
        expect(await store.aside(1)).toEqual([aside[2]])
        expect(await store.put(command('a'))).toBe('known')
      })

      test('stay where they are when the change is not written', async () => {
        const { store } = await kind.open()
        const aside = [{ input: command('a'), atMs: noon, why: 'x' }]
        expect(await store.commit(change({ inputs: ['999.0.1'], aside }))).toBe('conflict')
        expect(await store.aside(10)).toEqual([])
      })
    })

    describe('salts', () => {
      const person = { team: 'T1', user: 'U1' }

      test('the first one stays, whoever asks', async () => {
        const { store, pass } = await kind.open({ keepMs: hour, knownMs: hour })
        const both = await Promise.all([store.salt(person, 'one'), store.salt(person, 'other')])
        expect(both).toEqual(['one', 'one'])
        expect(await store.salt({ team: 'T2', user: 'U1' }, 'another person')).toBe('another person')
        await pass(2 * hour)
        expect(await store.salt(person, 'third')).toBe('one')
      })

      test('an erased person gets no new one', async () => {
        const { store } = await kind.open()
        await store.salt(person, 'one')
        await store.eraseSalt(person)
        expect(await store.salt(person, 'two')).toBe(null)
        await store.eraseSalt({ team: 'T1', user: 'U-never-seen' })
        expect(await store.salt({ team: 'T1', user: 'U-never-seen' }, 'x')).toBe(null)
      })
    })

    describe('jobs', () => {
      test('an input asks for its pipeline to be attended, a repetition does not', async () => {
        const { store } = await kind.open()
        await putAll(store, [alert('a'), alert('b'), command('c', { pipeline: 'payments' }), alert('a')])
        expect(await takeAsked(store)).toEqual(['attend orders', 'attend payments'])
        expect(await takeAsked(store)).toEqual([])
      })

      test('more alerts about an open incident ask together, 5 s after the first that nobody has read; a person asks at once', async () => {
        const { store } = await kind.open()
        const another = (key: string) => alert(key, { fingerprint: key })
        const due = async (): Promise<number[]> => {
          const jobs = await store.asked(noon, 10)
          await store.handedOver(jobs.map(({ key }) => key))
          return jobs.map(({ dueAtMs }) => dueAtMs - noon)
        }
        await store.put(another('a'))
        expect(await due()).toEqual([-noon])
        const opened = { value: incident('i-1'), version: 0 }
        await store.commit(change({ inputs: marks(await store.attend('orders', 10)), incident: opened }))
        await putAll(store, [another('b'), another('c')])
        expect(await due()).toEqual([5_000])
        await putAll(store, [another('d'), press('e')])
        expect(await due()).toEqual([-noon])
        expect(keys(await store.attend('orders', 10))).toEqual(['b', 'c', 'd', 'e'])
        await store.put(another('f'))
        expect(await due()).toEqual([5_000])
        await store.commit(change({ incident: { value: { ...incident('i-1'), state: 'closed' }, version: 1 } }))
        await store.put(another('g'))
        expect(await due()).toEqual([-noon])
      })

      test('attending again is another job', async () => {
        const { store } = await kind.open()
        await store.put(command('a'))
        const [first] = await store.asked(noon, 10)
        await store.put(command('b'))
        const both = await store.asked(noon, 10)
        expect(both[0]).toEqual(first)
        expect(both).toHaveLength(2)
        expect(both[1]?.key).not.toBe(first?.key)
      })

      test('are there until the queue has them, oldest first, each key once', async () => {
        const { store } = await kind.open()
        const later = job('b', { dueAtMs: noon + 60_000, with: { revision: 2, why: 'a "look"' } })
        await store.commit(change({ jobs: [job('a'), later, job('a')] }))
        await store.commit(change({ jobs: [job('a'), job('c')] }))
        expect(await store.asked(noon, 10)).toEqual([job('a'), later, job('c')])
        expect(await store.asked(noon, 2)).toEqual([job('a'), later])
        await store.handedOver(['a', 'b', 'never asked for'])
        expect(await store.asked(noon, 10)).toEqual([job('c')])
      })

      test('an input that nobody deals with is asked for again every minute', async () => {
        const { store } = await kind.open()
        await store.put(command('a'))
        await takeAsked(store)
        expect(await takeAsked(store, noon + 59_999)).toEqual([])
        expect(await takeAsked(store, noon + 60_000)).toEqual(['attend orders'])
        expect(await takeAsked(store, noon + 60_001)).toEqual([])
        await store.commit(change({ inputs: marks(await store.attend('orders', 1)) }))
        expect(await takeAsked(store, noon + 999_999)).toEqual([])
      })
    })

    describe('a change', () => {
      test('is written as a whole', async () => {
        const { store } = await kind.open()
        await store.put(command('a'))
        const { inputs, head, version } = await store.attend('orders', 10)
        const ledger = entriesAfter(head, ['approved', 'applied'])
        const whole: Change = {
          inputs: inputs.map(({ mark }) => mark),
          incident: { value: incident('i-1'), version },
          messages: [wantedMessage('i-1/home')],
          jobs: [job('diagnose/i-1/1')],
          aside: [],
          ledger,
        }
        expect(await store.commit(whole)).toBe('done')
        const after = await store.attend('orders', 10)
        expect(after).toEqual({ pipeline: 'orders', incident: incident('i-1'), version: 1, inputs: [], head: await store.head() })
        expect(after.head).toEqual({ number: 2, digest: ledger.entries[1]?.digest })
        expect(await store.ledger(1, 10)).toEqual(ledger.entries)
        expect((await store.wanted('i-1/home'))?.wanted).toEqual(wantedMessage('i-1/home'))
        expect(await takeAsked(store)).toEqual(['attend orders', 'diagnose i-1'])
        expect(await store.commit(whole)).toBe('conflict')
      })

      test.each<[string, (read: Attended) => Partial<Change>]>([
        ['the incident moved', () => ({ incident: { value: incident('i-1', { triggersBefore: 9 }), version: 1 } })],
        ['it is not the first one', () => ({ incident: { value: incident('i-1'), version: 0 } })],
        ['the pipeline has an open incident', () => ({ incident: { value: incident('i-2'), version: 0 } })],
        ['the ledger moved', ({ head }) => ({ ledger: entriesAfter({ ...head, digest: 'f'.repeat(64) }, ['approved']) })],
        ['the ledger is longer', ({ head }) => ({ ledger: entriesAfter({ ...head, number: 0 }, ['approved']) })],
        ['an input is gone', () => ({ inputs: ['999.0.1'] })],
      ])('is not written at all where %s', async (_, rests) => {
        const { store } = await kind.open()
        const first = { value: incident('i-1'), version: 0 }
        await store.commit(change({ incident: first, ledger: entriesAfter({ number: 0, digest: '0'.repeat(64) }, ['opened']) }))
        await store.commit(change({ incident: { ...first, version: 1 } }))
        await store.put(command('a'))
        const before = await store.attend('orders', 10)
        const also = { inputs: marks(before), messages: [wantedMessage('x')], jobs: [job('x')] }
        expect(await store.commit(change({ ...also, ...rests(before) }))).toBe('conflict')
        expect(await store.attend('orders', 10)).toEqual(before)
        expect(await store.wanted('x')).toBe(null)
        expect(await takeAsked(store)).toEqual(['attend orders'])
        expect(await store.ledger(1, 10)).toHaveLength(1)
      })

      test('with an entry out of its place in the ledger is refused', async () => {
        const { store } = await kind.open()
        const { after, entries } = entriesAfter(await store.head(), ['opened', 'approved'])
        const swapped = change({ jobs: [job('x')], ledger: { after, entries: entries.toReversed() } })
        await expect(store.commit(swapped)).rejects.toMatchObject({ code: 'store_mistaken' })
        expect(await store.ledger(1, 10)).toEqual([])
        expect(await takeAsked(store)).toEqual([])
      })

      test('that does not fit is refused as a whole', async () => {
        const { store } = await kind.open({ mostValueBytes: 2_000 })
        const long = wantedMessage('b', { text: 'x'.repeat(2_000) })
        await expect(store.commit(change({ messages: [wantedMessage('a'), long] }))).rejects.toMatchObject({ code: 'value_too_large' })
        await expect(store.put(alert('a', { summary: 'x'.repeat(2_000) }))).rejects.toMatchObject({ code: 'value_too_large' })
        expect(await store.wanted('a')).toBe(null)
      })
    })

    describe('incidents', () => {
      test('of a pipeline: the open one, or else the newest closed one', async () => {
        const { store } = await kind.open()
        const closed = incident('i-1', { state: 'closed' })
        await store.commit(change({ incident: { value: incident('i-1'), version: 0 } }))
        await store.commit(change({ incident: { value: closed, version: 1 } }))
        expect(await store.attend('orders', 1)).toMatchObject({ incident: closed, version: 2 })
        await store.commit(change({ incident: { value: incident('i-2'), version: 0 } }))
        await store.commit(change({ incident: { value: closed, version: 2 } }))
        expect(await store.attend('orders', 1)).toMatchObject({ incident: incident('i-2'), version: 1 })
        expect(await store.incident('i-1')).toEqual({ value: closed, version: 3 })
        expect(await store.incident('i-3')).toBe(null)
      })

      test('are listed with the last changed first', async () => {
        const { store } = await kind.open()
        const of = (id: string, state: 'open' | 'closed' = 'open') => incident(id, { state, pipeline: id })
        for (const id of ['a', 'b', 'c']) await store.commit(change({ incident: { value: of(id), version: 0 } }))
        await store.commit(change({ incident: { value: of('b'), version: 1 } }))
        await store.commit(change({ incident: { value: of('a', 'closed'), version: 1 } }))
        const ids = async (state: 'open' | 'any', most = 10) => (await store.incidents({ state, most })).map(({ id }) => id)
        expect(await ids('any')).toEqual(['a', 'b', 'c'])
        expect(await ids('any', 2)).toEqual(['a', 'b'])
        expect(await ids('open')).toEqual(['b', 'c'])
      })

      test('hold the bytes that they speak of for as long as they are moved themselves', async () => {
        const { store, pass } = await kind.open({ keepMs: 20 * hour })
        const [bundle, other] = [await store.keep(Buffer.from('evidence')), await store.keep(Buffer.from('of nobody'))]
        const proposals = [{ ...proposalCard, bundle }]
        await store.commit(change({ incident: { value: incident('i-1', { proposals }), version: 0 } }))
        await pass(12 * hour)
        await store.commit(change({ incident: { value: incident('i-1', { proposals }), version: 1 } }))
        await pass(12 * hour)
        expect(Buffer.from((await store.bytes(bundle)) ?? []).toString()).toBe('evidence')
        expect(await store.bytes(other)).toBe(null)
        await pass(12 * hour)
        expect(await store.bytes(bundle)).toBe(null)
      })

      test('and messages end a time after their last change, the ledger does not', async () => {
        const { store, pass } = await kind.open({ keepMs: 20 * hour })
        const ledger = entriesAfter(await store.head(), ['approved'])
        await store.commit(change({ incident: { value: incident('i-1'), version: 0 }, messages: [wantedMessage('a')], ledger }))
        await pass(12 * hour)
        await store.commit(change({ incident: { value: incident('i-1'), version: 1 }, messages: [wantedMessage('a', { edition: 2 })] }))
        await pass(12 * hour)
        expect(await store.attend('orders', 1)).toMatchObject({ version: 2 })
        expect(await store.wanted('a')).not.toBe(null)
        await pass(12 * hour)
        expect(await store.attend('orders', 1)).toMatchObject({ incident: null, version: 0 })
        expect(await store.incidents({ state: 'any', most: 10 })).toEqual([])
        expect(await store.wanted('a')).toBe(null)
        expect(await store.ledger(1, 10)).toEqual(ledger.entries)
      })
    })

    describe('messages', () => {
      test('a wanted message is planned first, and keeps what stands in Slack when it is wanted otherwise', async () => {
        const { store } = await kind.open()
        await store.commit(change({ messages: [wantedMessage('a')] }))
        const { delivery } = (await store.wanted('a'))!
        expect(delivery).toMatchObject({ slot: 'a', state: 'planned', ts: null, edition: 0, attempts: 0 })
        const sent = { ...delivery, state: 'sent', ts: '17.1', edition: 1, attempts: 1 } as const
        expect(await store.deliver(delivery, sent)).toBe(true)
        const second = wantedMessage('a', { edition: 2, text: 'orders recovered' })
        await store.commit(change({ messages: [second] }))
        expect(await store.wanted('a')).toEqual({ wanted: second, delivery: sent })
      })

      test('an older edition changes nothing', async () => {
        const { store } = await kind.open()
        const second = wantedMessage('a', { edition: 2 })
        await store.commit(change({ messages: [second] }))
        await store.commit(
          change({ messages: [wantedMessage('a', { edition: 1, text: 'old' }), wantedMessage('a', { edition: 2, text: 'same' })] }),
        )
        expect((await store.wanted('a'))?.wanted).toEqual(second)
      })

      test('one of two senders gets to send', async () => {
        const { store } = await kind.open()
        await store.commit(change({ messages: [wantedMessage('a')] }))
        const { delivery } = (await store.wanted('a'))!
        const sending = { ...delivery, state: 'sending', sendingSinceMs: noon, attempts: 1 } as const
        expect(await Promise.all([store.deliver(delivery, sending), store.deliver(delivery, sending)])).toEqual([true, false])
        expect(await store.deliver({ ...sending, slot: 'nowhere' }, sending)).toBe(false)
      })

      test('turns of a channel are a pause apart', async () => {
        const { store } = await kind.open()
        const turn = (channel: string, afterMs: number) => store.turn(channel, noon + afterMs, 1_000)
        expect(await turn('C1', 0)).toBe(null)
        expect(await turn('C2', 0)).toBe(null)
        expect(await turn('C1', 400)).toBe(600)
        expect(await turn('C1', 999)).toBe(1)
        expect(await turn('C1', 1_000)).toBe(null)
        expect(await turn('C1', 1_500)).toBe(500)
      })

      test('a clock that is an hour ahead holds nobody up for longer than a pause', async () => {
        const { store } = await kind.open()
        expect(await store.turn('C1', noon + 3_600_000, 1_000)).toBe(null)
        expect(await store.turn('C1', noon, 1_000)).toBe(1_000)
        expect(await store.turn('C1', noon + 1_000, 1_000)).toBe(null)
      })
    })

    describe('bytes and ledger', () => {
      test('bytes are kept under the hash of their content, for a time', async () => {
        const { store, pass } = await kind.open({ keepMs: 20 * hour, mostBlobBytes: 100 })
        const bytes = new TextEncoder().encode('abc')
        const key = await store.keep(bytes)
        expect(key).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
        await pass(12 * hour)
        expect(await store.keep(bytes)).toBe(key)
        await pass(12 * hour)
        expect(await store.bytes(key)).toEqual(bytes)
        await pass(12 * hour)
        expect(await store.bytes(key)).toBe(null)
        await expect(store.keep(new Uint8Array(101))).rejects.toMatchObject({ code: 'value_too_large', retryable: false })
      })

      test('the ledger is read from a number on', async () => {
        const { store } = await kind.open()
        expect(await store.head()).toEqual({ number: 0, digest: '0'.repeat(64) })
        expect(await store.ledger(1, 10)).toEqual([])
        for (const what of ['opened', 'approved', 'applied'] as const) {
          expect(await store.commit(change({ ledger: entriesAfter(await store.head(), [what]) }))).toBe('done')
        }
        const whats = async (from: number, most: number) => (await store.ledger(from, most)).map(({ number, what }) => `${number}${what}`)
        expect(await whats(1, 10)).toEqual(['1opened', '2approved', '3applied'])
        expect(await whats(0, 1)).toEqual(['1opened'])
        expect(await whats(2, 1)).toEqual(['2approved'])
        expect(await whats(4, 10)).toEqual([])
      })
    })
  })
}
