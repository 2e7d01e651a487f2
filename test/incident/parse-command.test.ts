import { describe, expect, test } from 'vitest'
import type { CommandText } from '../../src/incident/parse-command.ts'
import { parseCommand } from '../../src/incident/parse-command.ts'

const at = (text: string): number => Date.parse(text)
/** 14:30 in Berlin, 13:30 UTC. */
const now = at('2026-11-30T13:30:00Z')
const asked = { pipelines: ['orders', 'payments', 'Clicks.eu_west'], here: null, nowMs: now, zone: 'Europe/Berlin' }
const parse = (text: string, more: Partial<typeof asked> | { here: string | null } = {}): CommandText =>
  parseCommand(text, { ...asked, ...more })
const diagnose = (pipeline: string, since: string | null = null): CommandText => ({
  kind: 'diagnose',
  pipeline,
  sinceMs: since === null ? null : at(since),
})

const thorough = (pipeline: string, since: string | null = null): CommandText => ({
  kind: 'diagnose',
  pipeline,
  sinceMs: since === null ? null : at(since),
  thorough: true,
})

test.each<[string, CommandText]>([
  ['diagnose orders', diagnose('orders')],
  ['  Diagnose   ORDERS ', diagnose('orders')],
  ['diagnose clicks.eu_west', diagnose('Clicks.eu_west')],
  ['diagnose `orders`', diagnose('orders')],
  ['diagnose *payments*,', diagnose('payments')],
  ['diagnose “orders”', diagnose('orders')],
  ['diagnos orders', diagnose('orders')],
  ['daignose orders', diagnose('orders')],
  ['diagnos ordres', diagnose('orders')],
  ['diagnose ordrs', diagnose('orders')],
  ['status odrers', { kind: 'status', pipeline: 'orders' }],
  ['diagnose #orders', diagnose('orders')],
  ['diagnose <#C0123|orders>', diagnose('orders')],
  ['diagnose orders please', diagnose('orders')],
  ['please diagnose orders', diagnose('orders')],
  ['diagnose orders now, thank you!', diagnose('orders')],
  ['diagnose the orders pipeline', diagnose('orders')],
  ['diagnose the orders pipeline since 14:05, please', diagnose('orders', '2026-11-30T13:05:00Z')],
  ['diagnose pipeline orders last 2h', diagnose('orders', '2026-11-30T11:30:00Z')],
  ['diagnose orders, since 14:05', diagnose('orders', '2026-11-30T13:05:00Z')],
  ['orders', diagnose('orders')],
  ['orders last 2h', diagnose('orders', '2026-11-30T11:30:00Z')],
  ['diagnose orders since 14:05', diagnose('orders', '2026-11-30T13:05:00Z')],
  ['<@U0BOT> diagnose orders', diagnose('orders')],
  ['<@U0BOT|headwater>: diagnose orders since 14:05', diagnose('orders', '2026-11-30T13:05:00Z')],
  ['hey <@U0BOT> diagnose orders', diagnose('orders')],
  ['diagnose <http://clicks.eu_west|clicks.eu_west>', diagnose('Clicks.eu_west')],
  ['<@U0BOT> /headwater diagnose orders', diagnose('orders')],
  ['diagnose orders last two hours', diagnose('orders', '2026-11-30T11:30:00Z')],
  ['diagnose orders since noon', diagnose('orders', '2026-11-30T11:00:00Z')],
  ['diagnose orders since midnight', diagnose('orders', '2026-11-29T23:00:00Z')],
  ['diagnose orders thorough', thorough('orders')],
  ['diagnose orders --thorough', thorough('orders')],
  ['diagnose orders since 14:05 thorough', thorough('orders', '2026-11-30T13:05:00Z')],
  ['diagnose --thorough orders', thorough('orders')],
  ['diagnose orders orders', diagnose('orders')],
  ['diagnose help', { kind: 'help' }],
  ['-h', { kind: 'help' }],
  ['--help', { kind: 'help' }],
  ['status', { kind: 'status', pipeline: null }],
  ['status payments', { kind: 'status', pipeline: 'payments' }],
  ['stauts', { kind: 'status', pipeline: null }],
  ['help', { kind: 'help' }],
  ['', { kind: 'help' }],
  ['<@U0BOT>', { kind: 'help' }],
  ['?', { kind: 'help' }],
])('%j', (text, says) => {
  expect(parse(text)).toEqual(says)
})

test('in the channel of a pipeline its name may be left out', () => {
  const here = { here: 'orders' }
  expect(parse('diagnose thorough', here)).toEqual(thorough('orders'))
  expect(parse('diagnose last 2h thorough', here)).toEqual(thorough('orders', '2026-11-30T11:30:00Z'))
})

test.each<[string, string]>([
  ['diagnose', 'Which pipeline? I know orders, payments and Clicks.eu_west: diagnose <pipeline>.'],
  ['diagnose orders, payments', 'One pipeline at a time: diagnose orders, and then diagnose payments.'],
  ['diagnose orders and payments', 'One pipeline at a time: diagnose orders, and then diagnose payments.'],
  ['diagnose ordersss', 'There is no pipeline "ordersss". Did you mean: diagnose orders?'],
  ['diagnose please', 'Which pipeline? I know orders, payments and Clicks.eu_west: diagnose <pipeline>.'],
  ['diagnose warehouse', 'There is no pipeline "warehouse". I know orders, payments and Clicks.eu_west.'],
  ['status ordersss', 'There is no pipeline "ordersss". Did you mean: status orders?'],
  ['ordrs', 'I do not know "ordrs". Did you mean: diagnose orders?'],
  ['restart orders', 'I do not know "restart". I understand: diagnose <pipeline> [since 14:05 | last 2h], status, help.'],
  ['diagnose orders since', 'Since when? Write e.g. "since 14:05" or "last 2h".'],
  ['diagnose orders since lunch', 'I cannot read a time in "since lunch". Write e.g. "since 14:05" or "last 2h".'],
  ['diagnose orders since 25:00', 'I cannot read a time in "since 25:00". Write e.g. "since 14:05" or "last 2h".'],
  ['diagnose orders since 15:00', '"15:00" has not come yet: it is 14:30 in Europe/Berlin. Write e.g. "since 14:05" or "last 2h".'],
  ['diagnose orders last 3d', 'That is too far back; I can look back 1 d. Write e.g. "since 14:05" or "last 2h".'],
  [`diagnose ${'x'.repeat(400)}`, `There is no pipeline "${'x'.repeat(39)}…". I know orders, payments and Clicks.eu_west.`],
])('%j is not clear', (text, say) => {
  expect(parse(text)).toEqual({ kind: 'unclear', say })
})

describe('since when', () => {
  test.each<[string, string]>([
    ['since 14:05', '2026-11-30T13:05:00Z'],
    ['sinse 14:05', '2026-11-30T13:05:00Z'],
    ['from 14.05', '2026-11-30T13:05:00Z'],
    ['14:05', '2026-11-30T13:05:00Z'],
    ['since 1405', '2026-11-30T13:05:00Z'],
    ['since 2pm', '2026-11-30T13:00:00Z'],
    ['since 2:05 PM', '2026-11-30T13:05:00Z'],
    ['since 12am', '2026-11-29T23:00:00Z'],
    ['since 13:05 UTC', '2026-11-30T13:05:00Z'],
    ['since 13:05Z', '2026-11-30T13:05:00Z'],
    ['since 14:05.', '2026-11-30T13:05:00Z'],
    ['since 2 p.m.', '2026-11-30T13:00:00Z'],
    ['since 14:05 CET', '2026-11-30T13:05:00Z'],
    ['since 8:05am EST', '2026-11-30T13:05:00Z'],
    ['since 14:05 Europe/Berlin', '2026-11-30T13:05:00Z'],
    ['since 14:05+01:00', '2026-11-30T13:05:00Z'],
    ['since 18:35 +0530', '2026-11-30T13:05:00Z'],
    ['since 15:05 UTC+2', '2026-11-30T13:05:00Z'],
    ['since yesterday 20:00 CET', '2026-11-29T19:00:00Z'],
    ['since 2026-11-30 14:05 CET', '2026-11-30T13:05:00Z'],
    ['since yesterday 20:00', '2026-11-29T19:00:00Z'],
    ['since today 09:00', '2026-11-30T08:00:00Z'],
    ['since 2026-11-30 14:05', '2026-11-30T13:05:00Z'],
    ['since 2026-11-30T13:05:00Z', '2026-11-30T13:05:00Z'],
    ['since 2026-11-30T08:05-05:00', '2026-11-30T13:05:00Z'],
    ['since 14:31', '2026-11-30T13:30:00Z'],
    ['last 2h', '2026-11-30T11:30:00Z'],
    ['last 90m', '2026-11-30T12:00:00Z'],
    ['last 1h 30m', '2026-11-30T12:00:00Z'],
    ['past 90 minutes', '2026-11-30T12:00:00Z'],
    ['in the last 2 hours', '2026-11-30T11:30:00Z'],
    ['last hour', '2026-11-30T12:30:00Z'],
    ['last half hour', '2026-11-30T13:00:00Z'],
    ['for 2h', '2026-11-30T11:30:00Z'],
    ['since 2h ago', '2026-11-30T11:30:00Z'],
    ['2h', '2026-11-30T11:30:00Z'],
    ['last day', '2026-11-29T13:30:00Z'],
  ])('%s', (text, moment) => {
    expect(parse(`diagnose orders ${text}`)).toEqual(diagnose('orders', moment))
  })

  test.each<[string, string, string, string]>([
    ['past midnight, a late hour is yesterday’s', '2026-11-30T23:10:00Z', 'since 23:50', '2026-11-30T22:50:00Z'],
    ['and so across the end of a year', '2026-12-31T23:10:00Z', 'since 23:50', '2026-12-31T22:50:00Z'],
    ['the second of two 02:30, where it has been', '2026-10-25T02:00:00Z', 'since 02:30', '2026-10-25T01:30:00Z'],
    ['the first of two 02:30, where the second has not', '2026-10-25T01:00:00Z', 'since 02:30', '2026-10-25T00:30:00Z'],
    ['02:30 that was skipped is half an hour after the change', '2026-03-29T03:00:00Z', 'since 02:30', '2026-03-29T01:30:00Z'],
    ['in summer CET is what the clocks there show', '2026-07-01T12:30:00Z', 'since 14:05 CET', '2026-07-01T12:05:00Z'],
    ['the day before the clocks changed', '2026-03-29T08:00:00Z', 'since yesterday 23:00', '2026-03-28T22:00:00Z'],
  ])('%s', (_, nowText, since, moment) => {
    expect(parse(`diagnose orders ${since}`, { nowMs: at(nowText) })).toEqual(diagnose('orders', moment))
  })

  test('the zone is the asker’s', () => {
    expect(parse('diagnose orders since 09:05', { zone: 'Asia/Kolkata' })).toEqual(diagnose('orders', '2026-11-30T03:35:00Z'))
    expect(parse('diagnose orders since 18:05', { zone: 'Asia/Kolkata' })).toEqual(diagnose('orders', '2026-11-30T12:35:00Z'))
    expect(parse('diagnose orders since 08:05', { zone: 'America/New_York' })).toEqual(diagnose('orders', '2026-11-30T13:05:00Z'))
    expect(parse('diagnose orders since 13:05', { zone: 'Nowhere/Land' })).toEqual(diagnose('orders', '2026-11-30T13:05:00Z'))
  })
})

test('in the channel of a pipeline its name can be left out', () => {
  expect(parse('diagnose', { here: 'orders' })).toEqual(diagnose('orders'))
  expect(parse('diagnose since 14:05', { here: 'orders' })).toEqual(diagnose('orders', '2026-11-30T13:05:00Z'))
  expect(parse('diagnose payments', { here: 'orders' })).toEqual(diagnose('payments'))
  expect(parse('diagnose warehouse', { here: 'orders' })).toMatchObject({ kind: 'unclear' })
  expect(parse('diagnose', { pipelines: ['orders'] })).toEqual(diagnose('orders'))
  expect(parse('diagnose x', { pipelines: [] })).toEqual({ kind: 'unclear', say: 'There is no pipeline "x". None is configured yet.' })
})

test('a name is no slip of another one where it may be a third, or differs by a digit', () => {
  const pipelines = ['orders-1', 'orders-2', 'cart', 'card']
  expect(parse('diagnose orders-3', { pipelines })).toMatchObject({ kind: 'unclear' })
  expect(parse('diagnose carx', { pipelines })).toMatchObject({ kind: 'unclear' })
  expect(parse('diagnose odrers-2', { pipelines })).toEqual(diagnose('orders-2'))
})

test('a pipeline may be called like any word', () => {
  const pipelines = ['please', 'the', 'pipeline', 'orders']
  expect(parse('diagnose please', { pipelines })).toEqual(diagnose('please'))
  expect(parse('diagnose the', { pipelines })).toEqual(diagnose('the'))
  expect(parse('diagnose orders please', { pipelines: ['orders'] })).toEqual(diagnose('orders'))
})

test('a zone that means several is not guessed at', () => {
  expect(parse('diagnose orders since 14:05 IST')).toMatchObject({ say: expect.stringContaining('I cannot read a time in') })
})

test('what is answered repeats no mark-up that could end a quotation', () => {
  expect(parse('diagnose ar`derz\u0007')).toMatchObject({ say: expect.stringContaining('There is no pipeline "ar derz".') })
})
