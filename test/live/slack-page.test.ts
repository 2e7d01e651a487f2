/** The stand-in's page in a real browser: clicked through as a person would, with an app made of Slack's own packages behind it. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import { socketApp } from '../fakes/bolt-app.ts'
import type { Browser, Tab } from './chromium.ts'
import { chromiumObstacle, startChromium } from './chromium.ts'

const CHANNEL = 'C0INCIDENTS'
const obstacle = chromiumObstacle()
const shots = process.env.HEADWATER_SCREENSHOTS

let browser: Browser

/** For a person to look at, where a folder is named. */
async function shoot(tab: Tab, name: string): Promise<void> {
  if (shots !== undefined) await tab.screenshot(`${shots}/${name}.png`)
}

async function standInWithApp(): Promise<StandIn> {
  const stand = await startStandIn({ rateLimits: false })
  onTestFinished(() => stand.close())
  const app = await socketApp(stand)
  await app.start()
  return stand
}

/** What can be read on the page, with what a dialog says. */
const reads = (words: string): string => `document.body.innerText.includes(${JSON.stringify(words)})`

test('a browser is here, or this is no place where it has to be', () => {
  expect(obstacle === null || process.env.CI !== 'true').toBe(true)
})

describe.skipIf(obstacle !== null)('in Chromium', () => {
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  const type = async (tab: Tab, text: string): Promise<void> => {
    await tab.fill('#line', text)
    await tab.click('#composer button')
  }

  test('command → message → confirm → modal → refused → sent → message changed', async () => {
    const stand = await standInWithApp()
    const tab = await browser.open(`${stand.url}/?as=U0AMARA`, 1280, 800)
    await tab.until(reads('inc-orders'))
    await type(tab, '/headwater diagnose orders')
    expect(await tab.until(reads('Only visible to you'))).toBe(true)
    await tab.click('[data-press=decline]')
    expect(await tab.until("document.querySelector('#confirm').open")).toBe(true)
    expect(await tab.run("document.querySelector('#confirm strong').textContent")).toBe('Nothing')
    await shoot(tab, 'confirm')
    await tab.click('#confirm [value=no]')
    expect(stand.observer.modal('U0AMARA')).toBeNull()
    await tab.click('[data-press=decline]')
    await tab.click('#confirm [value=yes]')
    expect(await tab.until("document.querySelector('#modal').open")).toBe(true)
    await tab.click('#modal [type=submit]')
    expect(await tab.until(reads('Please complete this required field.'))).toBe(true)
    await tab.fill('#modal [name=reason]', 'no')
    await tab.click('#modal [type=submit]')
    expect(await tab.until(reads('Say more'))).toBe(true)
    expect(await tab.run("document.querySelector('#modal [name=reason]').value")).toBe('no')
    await shoot(tab, 'modal')
    await tab.fill('#modal [name=reason]', 'too wide <b>')
    await tab.click('#modal [type=submit]')
    expect(await tab.until(reads('declined: too wide <b>'))).toBe(true)
    expect(await tab.run("document.querySelector('#modal').open")).toBe(false)
    expect(tab.complaints()).toEqual([])
  })

  test('another person sees other things; a thread is read and answered; a press nobody answers is said', async () => {
    const stand = await standInWithApp()
    const tab = await browser.open(`${stand.url}/?as=U0AMARA`, 1280, 800)
    await type(tab, '@headwater status')
    expect(await tab.until(reads('1 reply'))).toBe(true)
    await tab.click('[data-thread]')
    expect(await tab.until("document.querySelector('#replies').innerText.includes('here')")).toBe(true)
    await tab.fill('#reply-line', 'thanks')
    await tab.click('#reply button')
    expect(await tab.until("document.querySelector('#replies').innerText.includes('thanks')")).toBe(true)
    await type(tab, '/headwater diagnose orders')
    await tab.until(reads('Only visible to you'))
    await tab.fill('#as', 'U0BEN')
    expect(await tab.until(`!${reads('Only visible to you')}`)).toBe(true)
    stand.faults.add({ on: 'deliver.interactive', fault: { kind: 'drop' } })
    await tab.click('[data-press=decline]')
    await tab.click('#confirm [value=yes]')
    expect(await tab.until(reads('Headwater is not responding.'))).toBe(true)
    expect(tab.complaints()).toEqual([])
  })

  test('what stands in messages and labels does nothing to the page', async () => {
    const stand = await standInWithApp()
    const evil = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script><!channel>'
    stand.observer.say({ user: 'U0BEN', channel: CHANNEL, text: evil })
    const body = new URLSearchParams({
      channel: CHANNEL,
      text: evil,
      blocks: JSON.stringify([
        { type: 'section', text: { type: 'mrkdwn', text: evil } },
        { type: 'header', text: { type: 'plain_text', text: evil } },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              action_id: 'a',
              text: { type: 'plain_text', text: '"><b>' },
              url: 'https://a.test/"onclick="window.harmed=1',
            },
          ],
        },
      ]),
    })
    await fetch(`${stand.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stand.settings.app.botToken}` },
      body,
    })
    const tab = await browser.open(`${stand.url}/?as=U0AMARA`, 1280, 800)
    expect(await tab.until(reads('onerror'))).toBe(true)
    expect(await tab.run("document.querySelectorAll('#messages img, #messages script').length")).toBe(0)
    expect(await tab.run('window.harmed')).toBeUndefined()
    expect(tab.complaints()).toEqual([])
  })

  test('on a phone of 360 px nothing is cut off at the side, and a thread covers the channel', async () => {
    const stand = await standInWithApp()
    const root = stand.observer.say({ user: 'U0BEN', channel: CHANNEL, text: `${'long'.repeat(60)} @headwater` })
    await stand.observer.until(() => stand.observer.messages(CHANNEL).some((one) => one.threadTs === root))
    const tab = await browser.open(`${stand.url}/?as=U0AMARA`, 360, 740)
    await tab.until(reads('1 reply'))
    expect(await tab.run('document.documentElement.scrollWidth')).toBe(360)
    expect(await tab.run("document.querySelector('#messages').clientHeight > 480")).toBe(true)
    await tab.click('[data-thread]')
    await tab.until("!document.querySelector('#thread').hidden")
    expect(await tab.run("document.querySelector('#thread').getBoundingClientRect().width")).toBe(360)
    await shoot(tab, 'phone-thread')
  })
})
