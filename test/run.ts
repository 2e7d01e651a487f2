/**
 * `npm test [-- FILTER…]`: the tests that need only Node and a Redis server, those on whole processes of the service, then those on a
 * real Kafka, Spark and Delta.
 *
 * What they need and this machine lacks is brought on Debian as root; elsewhere it is named, with what is skipped for it.
 * Under CI=true a missing part is a failure: a run that silently tests less is worth nothing there.
 * Last line: "N passed, N failed, N skipped". Exit code 1 when anything failed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureAlertTools } from './manifests/alert-tools.ts'
import { canInstall, ensureRedis, ensureTools, missingTools } from './rig/toolchain.ts'
import type { Tally } from './tally.ts'
import { add, closingLine } from './tally.ts'

const root = join(import.meta.dirname, '..')
const filters = process.argv.slice(2)

// Without them only what they would say of the rules and the receiver is skipped.
ensureAlertTools((line) => console.log(line))

function liveFiles(): string[] {
  const folder = join(root, 'test/live')
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts')) : []
}

/** @returns why the live tests cannot run here, or null when they can. */
function liveObstacle(): string | null {
  const missing = missingTools()
  if (missing.length === 0) return null
  try {
    if (canInstall()) ensureTools((line) => console.log(line))
  } catch (error) {
    return (error as Error).message
  }
  const still = missingTools()
  if (still.length === 0) return null
  return `${still.join(', ')} not found (on Debian: apt-get install default-jdk-headless maven)`
}

function runVitest(project: string): Tally {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-tally-'))
  const tally = join(folder, 'tally.json')
  const reporters = ['--reporter=default', `--reporter=${join(root, 'test/tally-reporter.ts')}`]
  const args = ['run', '--config', 'test/vitest.config.ts', '--project', project, ...reporters, ...filters]
  const env: NodeJS.ProcessEnv = { ...process.env, HEADWATER_TALLY: tally }
  if (!process.stdout.isTTY) env.NO_COLOR = '1'
  const run = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: root, stdio: 'inherit', env })
  const counted: Tally = existsSync(tally) ? JSON.parse(readFileSync(tally, 'utf8')) : { passed: 0, failed: 1, skipped: 0 }
  rmSync(folder, { recursive: true, force: true })
  // vitest may fail without a failed test (a broken configuration, a worker that died).
  return run.status === 0 || counted.failed > 0 ? counted : add(counted, { passed: 0, failed: 1, skipped: 0 })
}

function runLive(): Tally {
  const files = liveFiles().filter((file) => filters.length === 0 || filters.some((filter) => `test/live/${file}`.includes(filter)))
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const obstacle = liveObstacle()
  if (obstacle === null) return runVitest('live')
  const must = process.env.CI === 'true'
  console.log(`\nlive tests ${must ? 'must run under CI=true, but' : 'skipped:'} ${obstacle}`)
  for (const file of files) console.log(`  ${must ? 'failed' : 'skipped'} test/live/${file}`)
  return { passed: 0, failed: must ? files.length : 0, skipped: must ? 0 : files.length }
}

/** Tests on a Redis start their own. Without the program they are skipped, each by itself. */
function bringRedis(): Tally {
  if (ensureRedis((line) => console.log(line))) return { passed: 0, failed: 0, skipped: 0 }
  const must = process.env.CI === 'true'
  const how = 'no redis-server or valkey-server found (on Debian: apt-get install redis-tools)'
  console.log(`tests on a Redis ${must ? 'must run under CI=true, but' : 'skipped:'} ${how}`)
  return { passed: 0, failed: must ? 1 : 0, skipped: 0 }
}

const total = [bringRedis(), runVitest('unit'), runVitest('service'), runLive()].reduce(add)
console.log(`\n${closingLine(total)}`)
process.exit(total.failed > 0 ? 1 : 0)
