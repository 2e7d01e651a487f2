/**
 * Each step of the Dockerfile, tried in empty folders in place of images: what it copies is there, what it runs ends well, and what it
 * starts serves, is healthy by its own check, writes nothing into its folder, and ends when it is asked to.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import { ledgerKey } from '../build/ledger.ts'
import type { Stage } from '../manifests/parse-dockerfile.ts'
import { last, parseDockerfile } from '../manifests/parse-dockerfile.ts'
import { manifestText, root } from '../manifests/read-manifest.ts'
import { startRedis } from '../rig/redis.ts'

const stages = parseDockerfile(manifestText('Dockerfile'))
const image = stages.at(-1)!
const folder = mkdtempSync(join(tmpdir(), 'headwater-image-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** The folder that stands for the file system of a stage. */
const place = (stage: string): string => join(folder, stage === '' ? 'image' : stage)

/** Only what an image has: neither this repository's packages nor its settings. Where packages come from is the machine's own business. */
const { NODE_ENV: _, ...machine } = process.env
const bare = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder }

interface Built {
  readonly workdir: string
  readonly env: Record<string, string>
}

function build(stage: Stage): Built {
  const base = place(stage.name)
  let workdir = base
  const env: Record<string, string> = { ...bare }
  for (const step of stage.steps) {
    if (step.does === 'env') env[step.name] = step.value
    if (step.does === 'workdir') {
      workdir = join(base, step.path)
      mkdirSync(workdir, { recursive: true })
    }
    if (step.does === 'copy') {
      const from = step.from === null ? root : place(step.from)
      for (const what of step.what) {
        const to = step.to.endsWith('/') ? join(workdir, step.to, basename(what)) : join(workdir, step.to)
        cpSync(join(from, what), to, { recursive: true, verbatimSymlinks: true })
      }
    }
    if (step.does === 'run') {
      const { status, stderr } = spawnSync('sh', ['-c', step.command], {
        cwd: workdir,
        env: { ...machine, ...env, HOME: homedir() },
        encoding: 'utf8',
      })
      expect({ command: step.command, status, stderr: status === 0 ? '' : stderr }).toEqual({
        command: step.command,
        status: 0,
        stderr: '',
      })
    }
  }
  return { workdir, env }
}

let built: Built
beforeAll(() => {
  for (const stage of stages) built = build(stage)
})

const files = (): string[] => readdirSync(built.workdir, { recursive: true, encoding: 'utf8' }).sort()
const healthy = (env: Record<string, string>): number | null => {
  const [program = '', ...args] = last(image, 'healthcheck')!.command
  return spawnSync(program, args, { cwd: built.workdir, env }).status
}

test('its entry point answers for every command', () => {
  const [program = '', ...args] = last(image, 'entrypoint')!.command
  const run = spawnSync(program, [...args, '--version'], { cwd: built.workdir, env: built.env, encoding: 'utf8' })
  expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, stderr: '' })
})

test('no package for developers is in it', () => {
  const packages = readdirSync(join(built.workdir, 'node_modules'))
  expect(packages).toContain('bullmq')
  expect(packages.filter((name) => ['typescript', 'vitest', 'knip', 'ajv'].includes(name))).toEqual([])
})

test('what it starts serves, is healthy, writes nothing and ends within 10 s', async () => {
  const redis = await startRedis({ appendonly: 'yes', 'maxmemory-policy': 'noeviction' })
  ends.push(redis.stop)
  const slack = await startStandIn()
  ends.push(() => slack.close())
  const config = join(folder, 'headwater.yaml')
  writeFileSync(
    config,
    `slack: { team: T0STANDIN, bot_token_env: BOT, app_token_env: APP }
webhooks: { listen: '127.0.0.1:0', operations: '127.0.0.1:0', alertmanager: { bearer_env: TOKEN } }
redis: { url: '${redis.url}' }
ledger: { key_env: KEY }
pipelines: { orders: { topic: orders, brokers: ['127.0.0.1:1'] } }
`,
  )
  const { app } = slack.settings
  const secrets = { BOT: app.botToken, APP: app.appToken, TOKEN: 'a token of the tests', KEY: ledgerKey }
  const env = { ...built.env, ...secrets, HEADWATER_CONFIG: config, HEADWATER_SLACK_API_URL: slack.apiUrl }
  const before = files()
  const [program = '', ...args] = [...last(image, 'entrypoint')!.command, ...last(image, 'cmd')!.command]
  const child = spawn(program, args, { cwd: built.workdir, env, stdio: ['ignore', 'pipe', 'pipe'] })
  ends.push(() => child.kill('SIGKILL'))
  const said = saying(child)
  const operations = await said(/health and metrics: (http:\/\/\S+)\/readyz/)
  const at = { ...env, HEADWATER_HEALTH: `${operations}/healthz` }
  expect(healthy(at)).toBe(0)
  // The process that works is started once this one serves.
  await vi.waitUntil(async () => (await fetch(`${operations}/readyz`)).status === 200, { timeout: 30_000, interval: 200 })
  const begin = performance.now()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(last(image, 'stopsignal')!.signal as NodeJS.Signals)
  expect(await ended).toBe(0)
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect(healthy(at)).toBe(1)
  expect(files()).toEqual(before)
})

/** Waits for a line of its standard error. */
function saying(child: ChildProcess): (what: RegExp) => Promise<string> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (text += part.toString()))
  return async (what) => {
    for (let waited = 0; waited < 60_000; waited += 100) {
      const found = what.exec(text)
      if (found !== null) return found[1]!
      if (child.exitCode !== null) break
      await sleep(100)
    }
    throw new Error(`it never said ${what}:\n${text}`)
  }
}
