/** `headwater demo`: the whole way of a recorded incident in the browser, for someone who has none of the systems; until Ctrl-C. */
import { existsSync } from 'node:fs'
import type { Listen, RedisAccess } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Recorded } from '../demo/story.ts'
import { readStory, storyNames } from '../demo/story.ts'
import { HeadwaterError, messageOf } from '../errors.ts'
import { createLog } from '../log.ts'
import { configFile } from './choose-pipeline.ts'
import type { Backing } from './demo-backing.ts'
import { chooseBacking } from './demo-backing.ts'
import type { Io } from './io.ts'
import { complain, exitCodes } from './io.ts'
import type { Demo } from './open-demo.ts'
import { openDemo } from './open-demo.ts'

export interface DemoCommandOptions {
  readonly config?: string
  /** Of the page; 0 = any that is free. */
  readonly port: number
  /** false = keep everything in this process. */
  readonly redis: boolean
  readonly zone?: string
  /** All that the service says of itself, on stderr. */
  readonly verbose?: boolean
}

/** @param name a story that is told first; the one with the right knob where none is named. @returns the exit code. @throws HeadwaterError */
export async function demoCommand(name: string | undefined, options: DemoCommandOptions, io: Io): Promise<number> {
  const stories = await storiesFrom(name)
  const log = createLog({ write: (line) => io.stderr.write(line), level: options.verbose === true ? 'info' : 'error' })
  const configured = options.redis ? await redisOf(options.config, io) : null
  const backing = await chooseBacking(configured, options.redis ? io.env.PATH : undefined, (line) => complain(io, line))
  const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  let demo: Demo
  try {
    demo = await openDemo({ stories, backing, log, zone, port: options.port })
  } catch (error) {
    await backing.close()
    throw error
  }
  io.stdout.write(`${said(demo, backing, stories)}\n`)
  await aborted(io.signal)
  io.stderr.write('\nstopping\n')
  await demo.close()
  return exitCodes.done
}

/** @throws HeadwaterError usage */
async function storiesFrom(first: string | undefined): Promise<readonly Recorded[]> {
  const names = storyNames()
  if (names.length === 0 || (first !== undefined && !names.includes(first))) {
    const there = names.length === 0 ? 'this build has no recordings' : `no recording "${first}"; there are: ${names.join(', ')}`
    throw new HeadwaterError('usage', there)
  }
  const all = await Promise.all(names.map((name) => readStory(name)))
  const rank = ({ name, turned }: Recorded): number => (name === first ? 0 : turned.right ? 1 : 2)
  return all.toSorted((a, b) => rank(a) - rank(b))
}

/** A configuration that cannot be read is no reason to show nothing. */
async function redisOf(named: string | undefined, io: Io): Promise<RedisAccess | null> {
  const file = configFile(named, io)
  if (named === undefined && !existsSync(file)) return null
  try {
    return (await loadConfig(file, io.env)).config.redis
  } catch (error) {
    complain(io, `the Redis of ${file} is not used: ${messageOf(error)}`)
    return null
  }
}

function said({ page, webhooks, bearer, pace }: Demo, backing: Backing, stories: readonly Recorded[]): string {
  const at = httpAt(webhooks)
  return `
Open this:  ${page}

webhooks    ${at}/webhooks/alertmanager   (Authorization: Bearer ${bearer})
health      ${at}/readyz and ${at}/metrics
real        the service as headwater serve runs it: webhook, queue, diagnosis, proposal, sign-off, ledger, recovery check
stood in    Slack, by the page; Kafka, Spark and the table, by what they answered in a live run:
            ${[...new Set(stories.map(({ recorded }) => recorded))].join('; ')}
time        as usual, slowed while you read; while a change is being checked ${pace} times faster. The page says so
Redis       ${backing.says}

Nothing leaves this machine. Ctrl-C ends all of it.`
}

const httpAt = ({ host, port }: Listen): string => `http://${host}:${port}`

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
