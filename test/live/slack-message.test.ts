/** What an incident looks like in Slack on a phone: real drills, the message as it is sent, the page of the stand-in 360 px wide. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handSetClock } from '../../src/demo/slack/clock.ts'
import type { Incident, RecoveryCheck } from '../../src/incident/incident.ts'
import { proposalHash } from '../../src/incident/proposal.ts'
import { renderPng } from '../../src/picture/png.ts'
import type { ChartSize } from '../../src/report/chart/layout.ts'
import { altText, storyChart } from '../../src/report/chart.ts'
import { homeChart, homeMessage } from '../../src/report/messages/incident/home.ts'
import { decisionMessage, detailsChart } from '../../src/report/messages/incident/thread.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import type { Judgement } from '../../src/workflow/judge.ts'
import { wantedMessages } from '../../src/workflow/wanted-messages.ts'
import { checked, proposal } from '../build/incident.ts'
import { caseName, incidentOf, judgedCase, recordedPaths } from '../build/recorded-cases.ts'
import type { Before } from '../build/slack-app.ts'
import { channel, openApp } from '../build/slack-app.ts'
import type { Browser, Tab } from './chromium.ts'
import { chromiumObstacle, startChromium } from './chromium.ts'

const obstacle = chromiumObstacle()
const shots = process.env.HEADWATER_SCREENSHOTS
const clock = wallClock('UTC')

/** With a change to sign where a cause was found, whatever was proposed. */
function withProposal(incident: Incident): Incident {
  const { verdict } = incident
  if (verdict === null || verdict.outcome !== 'cause') return incident
  const undo = ['In orders_to_delta remove the option "minPartitions" again, and restart it with the same checkpoint.']
  const suggested = { ...proposal(), undo }
  const card = {
    proposal: suggested,
    hash: proposalHash(suggested),
    revision: 1,
    bundle: 'b1',
    outcome: null,
    state: 'open',
    openedAtMs: verdict.atMs,
    expiresAtMs: verdict.atMs + 3_600_000,
    requesters: [],
    decisions: [],
  } as const
  return { ...incident, proposals: [card] }
}

/** What may become of it, with words by which it is known. */
function later(incident: Incident): readonly (readonly [state: string, then: Incident, words: string])[] {
  const proposed = withProposal(incident)
  if (proposed.proposals.length === 0) return []
  const by = { team: 'T0STANDIN', user: 'U0CHIO' }
  const reason = 'agreed with the team of the producer, after the peak of the evening and not before'
  const decision = { what: 'approve', by, atMs: 0, reason, ledger: 7, anchor: '0123456789ab' } as const
  const approved: Incident = {
    ...proposed,
    // Asked about by many.
    triggersBefore: 12,
    proposals: proposed.proposals.map((card) => ({ ...card, state: 'approved', decisions: [decision] })),
  }
  const applied = { ...decision, what: 'applied', ledger: 8 } as const
  const after = (outcome: NonNullable<RecoveryCheck['outcome']>): Incident => ({
    ...approved,
    proposals: approved.proposals.map((card) => ({ ...card, state: 'applied', decisions: [...card.decisions, applied], outcome })),
    recovery: checked({ outcome, appliedAtMs: incident.verdict!.atMs + 600_000 }),
  })
  return [
    ['proposed', proposed, 'More…'],
    ['approved', approved, 'approved by'],
    ['in vain', after('no_effect'), 'Undo'],
    [
      'looked at again',
      { ...after('no_effect'), verdict: { ...incident.verdict!, revision: 2, atMs: incident.verdict!.atMs + 1_200_000 } },
      'revision 2',
    ],
  ]
}

/** Root and thread, the way the sender sends them. @returns ts of the root */
async function tell({ app, stand }: Before, judged: Judgement, incident: Incident): Promise<string> {
  const draw = async (size: ChartSize) => {
    const png = await renderPng(storyChart(judged.timeline, judged.attribution, { zone: 'UTC', ...size }), size)
    // On the way to a phone with little signal.
    if (size === homeChart) expect(png.length).toBeLessThan(200_000)
    const uploaded = await app.chat.upload(png, 'chart')
    return { file: uploaded.kind === 'done' ? uploaded.value.file : '', alt: altText(judged.timeline, judged.attribution) }
  }
  const [picture, whole] = [await draw(homeChart), await draw(detailsChart)]
  const at = { channel, edition: 1 }
  const root = await app.chat.post({ ...at, threadTs: null, slot: 'home', ...homeMessage(incident, judged, clock), picture })
  expect(root).toMatchObject({ kind: 'done' })
  const threadTs = root.kind === 'done' ? root.value.ts : ''
  const replies = wantedMessages(incident, { judged, clock, edition: 1 })
    .filter(({ under, onlyAfterEdit }) => under !== null && onlyAfterEdit === null)
    .map((reply) => ({ ...reply, ...at, threadTs, picture: reply.slot.endsWith('/details') ? whole : null }))
  for (const said of replies) expect(await app.chat.post(said)).toMatchObject({ kind: 'done' })
  expect(stand.observer.messages(channel)).toHaveLength(1 + replies.length)
  return threadTs
}

const heightOf = async (tab: Tab, ts: string): Promise<number> =>
  Number(await tab.run(`document.querySelector('[data-ts="${ts}"]').getBoundingClientRect().height`))
const loaded = "[...document.querySelectorAll('#messages img')].every((one) => one.complete && one.naturalWidth > 0)"

let browser: Browser

const named = recordedPaths.map((path) => [caseName(path), path] as const)

describe.skipIf(obstacle !== null)('on a phone', () => {
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  test.each(named)('%s: the message is no higher than a screen, and nothing of it is cut off at the side', async (name, path) => {
    const judged = judgedCase(path)
    // Read when it was posted: "today".
    const before = await openApp({ stand: { clock: handSetClock((judged.timeline.zeroS + judged.timeline.now) * 1000) } })
    const incident = incidentOf(judged)
    const ts = await tell(before, judged, incident)
    const tab = await browser.open(`${before.stand.url}/?as=U0AMARA`, 360, shots === undefined ? 740 : 1_200)
    expect(await tab.until(`document.querySelector('[data-ts="${ts}"] img') !== null && ${loaded}`)).toBe(true)
    if (shots !== undefined) await tab.screenshot(`${shots}/${name}.png`)
    expect(await tab.run('document.documentElement.scrollWidth')).toBe(360)
    expect(tab.complaints()).toEqual([])
    const shown = before.stand.observer.messages(channel)[0]!.now.blocks.find((block) => block.type === 'image') as unknown as {
      slack_file: { id: string }
    }
    const heights = [['as it is', await heightOf(tab, ts)]] as [string, number][]
    for (const [place, [state, then, words]] of later(incident).entries()) {
      const said = { ...homeMessage(then, judged, clock), picture: { file: shown.slack_file.id, alt: 'chart' } }
      const edited = await before.app.chat.edit({ channel, threadTs: null, slot: 'home', edition: place + 2, ...said, ts })
      expect(edited).toMatchObject({ kind: 'done' })
      expect(await tab.until(`document.querySelector('[data-ts="${ts}"]').innerText.includes(${JSON.stringify(words)}) && ${loaded}`)).toBe(
        true,
      )
      if (shots !== undefined) await tab.screenshot(`${shots}/${name}-${state}.png`)
      heights.push([state, await heightOf(tab, ts)])
    }
    console.log(`${name}: ${heights.map(([state, height]) => `${state} ${Math.round(height)} px`).join(', ')}`)
    for (const [state, height] of heights) expect(height, `${name}, ${state}`).toBeLessThanOrEqual(640)
    if (shots === undefined) return
    const thread = await browser.open(`${before.stand.url}/?as=U0AMARA&channel=${channel}&thread=${ts}`, 360, 4_000)
    expect(await thread.until("document.querySelector('#replies img') !== null")).toBe(true)
    await thread.screenshot(`${shots}/${name}-thread.png`)
  })

  test('a decision is said in the thread, with who, what and the number in the ledger', async () => {
    const before = await openApp()
    const judged = judgedCase(recordedPaths[0]!)
    const incident = withProposal(incidentOf(judged))
    const threadTs = await tell(before, judged, incident)
    const decision = {
      what: 'approve',
      by: { team: 'T0STANDIN', user: 'U0BEN' },
      atMs: 0,
      reason: 'after <!channel> the peak',
      ledger: 7,
      anchor: '0123456789ab',
    } as const
    const said = decisionMessage({ ...incident.proposals[0]!, decisions: [decision] }, decision)
    await before.app.chat.post({ channel, threadTs, slot: 'sign-off', edition: 2, picture: null, ...said })
    const tab = await browser.open(`${before.stand.url}/?as=U0AMARA`, 360, 740)
    await tab.click('[data-thread]')
    expect(await tab.until("document.querySelector('#replies img') !== null")).toBe(true)
    if (shots !== undefined) await tab.screenshot(`${shots}/thread.png`)
    expect(await tab.until("document.querySelector('#replies').innerText.includes('Ledger entry 7, 0123456789ab')")).toBe(true)
    const words = String(await tab.run("document.querySelector('#replies').innerText"))
    expect(words).toContain('Approved by @Ben Okafor: minPartitions: not set → 24 tasks (query orders)')
    expect(words).toContain('“after <!channel> the peak”')
    expect(await tab.run("document.querySelectorAll('[data-broadcast]').length")).toBe(0)
  })
})
