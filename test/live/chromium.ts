/** A headless Chromium driven over its own protocol: enough to click through a page and look at it. */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canInstall } from '../rig/toolchain.ts'

/** @returns why there is no browser here; null = there is one (brought on Debian as root) */
export function chromiumObstacle(): string | null {
  const there = (): boolean => spawnSync('chromium', ['--version'], { stdio: 'ignore' }).status === 0
  if (there()) return null
  if (canInstall()) {
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    apt('update', '-q')
    apt('install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-liberation', 'fonts-noto-color-emoji')
  }
  return there() ? null : 'chromium not found (on Debian: apt-get install chromium)'
}

export interface Tab {
  readonly run: (script: string) => Promise<unknown>
  readonly click: (selector: string) => Promise<void>
  /** Puts text into a field as typing would. */
  readonly fill: (selector: string, text: string) => Promise<void>
  /** @returns true once the script does; false after 10 s */
  readonly until: (script: string) => Promise<boolean>
  readonly screenshot: (file: string) => Promise<void>
  /** What the page complained of: exceptions, errors of the console, refusals of its policy. */
  readonly complaints: () => readonly string[]
}

export interface Browser {
  readonly open: (url: string, width: number, height: number) => Promise<Tab>
  readonly close: () => Promise<void>
}

type Wire = (method: string, params?: object, session?: string) => Promise<Record<string, unknown>>

export async function startChromium(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'headwater-chromium-'))
  const options = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ]
  const child = spawn('chromium', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const socket = new WebSocket(await debuggerAddress(child))
  await new Promise((opened) => socket.addEventListener('open', opened))
  const heard = new Map<string, string[]>()
  const send = wire(socket, heard)
  return {
    async open(url, width, height) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const session = String(sessionId)
      heard.set(session, [])
      const call = (method: string, params: object = {}): ReturnType<Wire> => send(method, params, session)
      for (const domain of ['Runtime', 'Log', 'Page']) await call(`${domain}.enable`)
      await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 })
      await call('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Paris' })
      await call('Page.navigate', { url })
      return tab(call, heard.get(session)!)
    },
    async close() {
      socket.close()
      const gone = new Promise((ended) => child.once('exit', ended))
      child.kill()
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function debuggerAddress({ stderr }: ChildProcess): Promise<string> {
  let said = ''
  for await (const part of stderr!) {
    said += String(part)
    const address = /ws:\/\/\S+/.exec(said)
    if (address !== null) return address[0]
  }
  throw new Error(`chromium did not start: ${said}`)
}

function wire(socket: WebSocket, heard: ReadonlyMap<string, string[]>): Wire {
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as {
      id?: number
      result?: Record<string, unknown>
      method?: string
      params?: object
      sessionId?: string
    }
    if (message.id !== undefined) waiting.get(message.id)?.(message.result ?? {})
    else if (['Runtime.exceptionThrown', 'Log.entryAdded'].includes(message.method ?? ''))
      heard.get(message.sessionId ?? '')?.push(JSON.stringify(message.params))
  })
  return (method, params = {}, sessionId) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    })
}

function tab(call: (method: string, params?: object) => Promise<Record<string, unknown>>, complaints: readonly string[]): Tab {
  const run = async (script: string): Promise<unknown> => {
    const { result } = await call('Runtime.evaluate', { expression: script, awaitPromise: true, returnByValue: true })
    return (result as { value?: unknown } | undefined)?.value
  }
  const until = async (script: string): Promise<boolean> => {
    for (let tries = 0; tries < 200; tries++) {
      if ((await run(`Boolean(${script})`)) === true) return true
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return false
  }
  const find = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})`
  return {
    run,
    until,
    complaints: () => complaints,
    async click(selector) {
      if (!(await until(find(`${selector}:enabled, ${selector}:not(button, input)`)))) throw new Error(`nothing to click: ${selector}`)
      await run(`${find(selector)}.click()`)
    },
    async fill(selector, text) {
      if (!(await until(find(selector)))) throw new Error(`nothing to fill: ${selector}`)
      await run(
        `(field => { field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('change', { bubbles: true })) })(${find(selector)})`,
      )
    },
    async screenshot(file) {
      const { data } = await call('Page.captureScreenshot', { format: 'png' })
      writeFileSync(file, Buffer.from(String(data), 'base64'))
    },
  }
}
