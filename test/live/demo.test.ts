/** The demo as a newcomer meets it: the command, and then nothing but clicks in the page. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { storyNames } from '../../src/demo/story.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'
import type { Browser, Tab } from './chromium.ts'
import { chromiumObstacle, startChromium } from './chromium.ts'
import type { DemoProcess } from './demo-process.ts'
import { startDemo } from './demo-process.ts'

const obstacle = chromiumObstacle()
const shots = process.env.HEADWATER_SCREENSHOTS
const root = join(import.meta.dirname, '../..')
/** From the command on, s. */
const pageWithinS = 15
const wholeWayWithinS = 120

interface Lived {
  readonly name: string
  readonly outcome: string
  readonly right: boolean
}

/** What became of each story when it was lived: the product is never told. */
const stories = storyNames().map((name): Lived => {
  const { outcome, turned } = JSON.parse(readFileSync(join(root, 'src/demo/recordings', `${name}.story.json`), 'utf8')) as {
    readonly outcome: string
    readonly turned: { readonly right: boolean }
  }
  return { name, outcome, right: turned.right }
})

/** The words by which a reader knows it. */
const words: Readonly<Record<string, string>> = {
  recovered: 'recovered, as the change predicted',
  no_effect: 'the change had no effect',
  not_applied: 'the change is not to be seen in the pipeline',
}

/** Where the demo looks for programs, with the Redis of the tests among them, under the name by which it looks for one. */
function pathWithRedis(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const program = folders.map((folder) => join(folder, redisProgram()!.file)).find((file) => existsSync(file))
  const folder = mkdtempSync(join(tmpdir(), 'headwater-programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(program!, join(folder, 'redis-server'))
  return [folder, ...folders].join(delimiter)
}
const redisOf = (demo: DemoProcess): string => `http://${/[\d.]+:\d+(?=; its keys)/.exec(demo.printed)?.[0]}`

let browser: Browser

async function shoot(tab: Tab, name: string): Promise<void> {
  if (shots !== undefined) await tab.screenshot(`${shots}/${name}.png`)
}

const reads = (text: string, where = 'body'): string => `document.querySelector('${where}').innerText.includes(${JSON.stringify(text)})`
const chart = "document.querySelector('#messages img')?.naturalWidth > 0"

/** Waits as long as a person would. */
async function comes(tab: Tab, script: string, seconds: number): Promise<boolean> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) if (await tab.until(script)) return true
  return false
}

async function pressIn(tab: Tab, button: string): Promise<void> {
  await tab.click(`#messages [data-press=headwater_${button}]`)
  await tab.click('#confirm [value=yes]')
}

/** From the alert to the word on the change, each step where the page leads. @returns seconds, and how many clicks it took */
async function wholeWay(tab: Tab, story: Lived): Promise<{ readonly seconds: number; readonly clicks: number }> {
  const begunMs = performance.now()
  await tab.click('[data-demo=fire]')
  expect(await comes(tab, `${chart} && ${reads('Approve', '#messages')}`, 60), 'a verdict with its chart').toBe(true)
  expect(await tab.run("document.querySelector('#bar .now').innerText")).toBe('Approve')
  await tab.click('[data-demo=ben]')
  await pressIn(tab, 'approve')
  expect(await comes(tab, reads('Now press Applied', '#bar'), 20), 'approved').toBe(true)
  await shoot(tab, `${story.name}-approved`)
  await pressIn(tab, 'applied')
  expect(await comes(tab, reads('× faster', '#time'), 20), 'time runs faster, and says so').toBe(true)
  expect(await comes(tab, reads(words[story.outcome]!, '#messages'), wholeWayWithinS), words[story.outcome]).toBe(true)
  expect(await comes(tab, `!${reads('× faster', '#time')}`, 20), 'time runs as usual again').toBe(true)
  await shoot(tab, `${story.name}-over`)
  return { seconds: (performance.now() - begunMs) / 1000, clicks: 7 }
}

function serves(url: string): Promise<boolean> {
  const { port } = new URL(url)
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function startedWith(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<DemoProcess> {
  const demo = await startDemo({ args, env })
  console.log(`page after ${(demo.readyMs / 1000).toFixed(1)} s (${args.join(' ')})`)
  expect(demo.readyMs / 1000).toBeLessThanOrEqual(pageWithinS)
  return demo
}

/** This program without one of its causes, as somebody would take it out: its file and its lines in the list. */
function withoutCause(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-without-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const causes = join(folder, 'src/attribution/causes')
  const name = file.replaceAll(/-(.)/g, (__, letter: string) => letter.toUpperCase())
  const list = readFileSync(join(causes, 'index.ts'), 'utf8')
  writeFileSync(
    join(causes, 'index.ts'),
    list
      .split('\n')
      .filter((line) => !line.includes(`./${file}.ts`))
      .join('\n')
      .replace(new RegExp(`\\b${name}, `), ''),
  )
  rmSync(join(causes, `${file}.ts`))
  return folder
}

/** The newest message ends where it can be read. */
const inSight =
  "document.querySelector('#messages').lastElementChild.getBoundingClientRect().bottom <= document.querySelector('#messages').getBoundingClientRect().bottom + 1"

const hotPartition = 'one partition takes more than its reader can work off'

describe.skipIf(obstacle !== null)('in Chromium', () => {
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  /** Told one after the other, by what the page offers. */
  async function toldAll(demo: DemoProcess, told: readonly Lived[]): Promise<Tab> {
    const tab = await browser.open(demo.page, 1280, 800)
    for (const [i, story] of told.entries()) {
      if (i > 0) await tab.click(`[data-demo=tell-${story.name}].primary`)
      expect(await comes(tab, reads('Fire the alert', '#bar'), 20)).toBe(true)
      const { seconds, clicks } = await wholeWay(tab, story)
      console.log(`${story.name}: ${seconds.toFixed(0)} s, ${clicks} clicks`)
      expect(seconds).toBeLessThanOrEqual(wholeWayWithinS)
    }
    expect(tab.complaints()).toEqual([])
    return tab
  }

  const rightFirst = stories.toSorted((a, b) => Number(b.right) - Number(a.right))
  test('both ways one after the other, kept in this process; Ctrl-C ends all of it', { timeout: 400_000 }, async () => {
    const demo = await startedWith(['--no-redis'])
    await toldAll(demo, rightFirst)
    expect(await demo.stop()).toBe(0)
    for (const url of [demo.page, demo.webhook]) expect(await serves(url)).toBe(false)
  })

  test.skipIf(redisProgram() === null)('the whole way with a Redis of its own, which ends with it', async () => {
    const demo = await startedWith([], { PATH: pathWithRedis() })
    const redis = redisOf(demo)
    expect(await serves(redis)).toBe(true)
    await toldAll(demo, rightFirst.slice(0, 1))
    expect(await demo.stop()).toBe(0)
    expect(await serves(redis)).toBe(false)
  })

  test('who is on call asks in the channel and is refused the approval, alone; starting over clears the channel', async () => {
    const demo = await startedWith(['--no-redis'])
    const tab = await browser.open(demo.page, 1280, 800)
    expect(await comes(tab, reads('Fire the alert', '#bar'), 20)).toBe(true)
    await shoot(tab, 'begin')
    await tab.fill('#line', '/headwater diagnose orders')
    await tab.click('#composer button')
    expect(await comes(tab, `${chart} && ${reads(hotPartition, '#messages')}`, 60)).toBe(true)
    await shoot(tab, 'asked')
    await pressIn(tab, 'approve')
    expect(await comes(tab, reads('Only an owner of this pipeline may decide', '#messages'), 20)).toBe(true)
    expect(await comes(tab, inSight, 5), 'the refusal is in sight').toBe(true)
    await shoot(tab, 'refused')
    expect(await tab.run("document.querySelector('#bar .now').innerText")).toBe('Approve')
    await tab.click('[data-demo^=tell-]')
    expect(await comes(tab, `${reads('Fire the alert', '#bar')} && !${reads(hotPartition, '#messages')}`, 20)).toBe(true)
    await tab.click('[data-demo=fire]')
    expect(await comes(tab, `${chart} && ${reads(hotPartition, '#messages')}`, 60)).toBe(true)
    expect(tab.complaints()).toEqual([])
  })

  test('on a phone of 360 px the message is no higher than a screen, and nothing is cut off at the side', async () => {
    const demo = await startedWith(['--no-redis'])
    const tab = await browser.open(demo.page, 360, 740)
    await tab.click('[data-demo=fire]')
    expect(await comes(tab, `${chart} && ${reads('Approve', '#messages')}`, 60)).toBe(true)
    await shoot(tab, 'phone-verdict')
    expect(await comes(tab, reads('slowed while you read', '#time'), 30)).toBe(true)
    const height = "document.querySelector('#messages .message:has(img)').getBoundingClientRect().height"
    console.log(`root message: ${Math.round(Number(await tab.run(height)))} px`)
    expect(await tab.run(`${height} <= 640`)).toBe(true)
    expect(await tab.run('document.documentElement.scrollWidth')).toBe(360)
    await tab.click('[data-demo=ben]')
    await pressIn(tab, 'approve')
    expect(await comes(tab, reads('Now press Applied', '#bar'), 20)).toBe(true)
    await pressIn(tab, 'applied')
    expect(await comes(tab, reads('× faster', '#time'), 20)).toBe(true)
    await shoot(tab, 'phone-checking')
    expect(await tab.run(`${height} <= 640`)).toBe(true)
    expect(await tab.run('document.documentElement.scrollWidth')).toBe(360)
    await tab.click('#messages .message:has(img) [data-thread]')
    expect(await comes(tab, reads('Ledger entry', '#replies'), 20)).toBe(true)
    await shoot(tab, 'phone-thread')
  })

  test('nothing of the verdict is stored: without the file of its cause the answer is another', async () => {
    const demo = await startDemo({ args: ['--no-redis'], folder: withoutCause('hot-partition') })
    const tab = await browser.open(demo.page, 1280, 800)
    await tab.click('[data-demo=fire]')
    expect(await comes(tab, `${chart} && ${reads('How sure', '#messages')} || ${reads('inconclusive', '#messages')}`, 60)).toBe(true)
    await shoot(tab, 'without-its-cause')
    const said = String(await tab.run("document.querySelector('#messages').innerText"))
    console.log(said.split('\n').find((line) => line.includes('orders:')))
    expect(said).not.toContain(hotPartition)
  })
})

describe('its doors and what is left of it', () => {
  const fire = (demo: DemoProcess, bearer: string): Promise<Response> => {
    const body = JSON.stringify({
      version: '4',
      status: 'firing',
      alerts: [
        { status: 'firing', labels: { alertname: 'ByHand' }, annotations: {}, startsAt: new Date().toISOString(), fingerprint: '1' },
      ],
    })
    return fetch(demo.webhook, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }, body })
  }

  test('the webhook it prints is the real one: it wants its secret', async () => {
    const demo = await startedWith(['--no-redis'])
    expect((await fire(demo, 'guessed')).status).toBe(401)
    expect((await fire(demo, demo.bearer)).status).toBe(202)
  })

  test.skipIf(redisProgram() === null)('in a configured Redis it keeps to keys of its own, and takes them away', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const folder = mkdtempSync(join(tmpdir(), 'headwater-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const config = join(folder, 'headwater.yaml')
    writeFileSync(config, `redis: { url: '${redis.url}', prefix: ours }\npipelines: { a: { topic: a, brokers: ['127.0.0.1:1'] } }\n`)
    const { Redis } = await import('ioredis')
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    await client.set('ours:incident:1', 'kept')
    const demo = await startedWith([], { HEADWATER_CONFIG: config })
    expect(demo.printed).toContain('the configured one; its keys begin with ours-demo-')
    expect((await fire(demo, demo.bearer)).status).toBe(202)
    expect((await client.keys('ours-demo-*')).length).toBeGreaterThan(0)
    expect(await demo.stop()).toBe(0)
    expect(await client.keys('*')).toEqual(['ours:incident:1'])
  })

  test.skipIf(redisProgram() === null)('killed, it leaves no Redis behind', async () => {
    const demo = await startedWith([], { PATH: pathWithRedis() })
    const redis = redisOf(demo)
    expect(await serves(redis)).toBe(true)
    await demo.kill()
    for (let tries = 0; tries < 100 && (await serves(redis)); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await serves(redis)).toBe(false)
  })
})
