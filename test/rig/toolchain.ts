// Java, Maven and Redis: looked for, brought on Debian as root, else reported by name.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Which of the rig's tools cannot be run here, e.g. ['javac', 'mvn']. */
export function missingTools(): string[] {
  const missing: string[] = []
  if (!existsSync('/proc/self/stat')) missing.push('/proc (Linux)')
  for (const [tool, flag] of [
    ['java', '-version'],
    ['javac', '-version'],
    ['mvn', '--version'],
  ] as const) {
    if (spawnSync(tool, [flag], { stdio: 'ignore' }).status !== 0) missing.push(tool)
  }
  return missing
}

/** True where missing parts can be installed by us: Debian or a child of it, as root. */
export function canInstall(): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

/** Makes java, javac and mvn runnable or throws an error that names what is missing and how to get it. */
export function ensureTools(say: (line: string) => void): void {
  const missing = missingTools()
  if (missing.length === 0) return
  const packages = ['default-jdk-headless', 'maven']
  if (canInstall()) {
    say(`installing ${packages.join(' and ')} (missing: ${missing.join(', ')})`)
    install(packages)
  }
  const still = missingTools()
  if (still.length === 0) return
  throw new Error(`the rig needs ${still.join(', ')}: install a JDK (17 or 21) and Maven, on Debian: apt-get install ${packages.join(' ')}`)
}

/**
 * A program that acts as a Redis server, and under which name it has to be called; null = there is none. Debian's redis-tools has
 * the whole server as redis-check-rdb: the name decides what it does, and no service comes with that package.
 */
export function redisProgram(): { readonly file: string; readonly argv0: string } | null {
  for (const file of ['redis-server', 'valkey-server', 'redis-check-rdb']) {
    const argv0 = file === 'redis-check-rdb' ? 'redis-server' : file
    if (spawnSync(file, ['--version'], { argv0, stdio: 'ignore' }).status === 0) return { file, argv0 }
  }
  return null
}

/** Brings a Redis server where that is possible. @returns whether there is one now */
export function ensureRedis(say: (line: string) => void): boolean {
  if (redisProgram() === null && canInstall()) {
    say('installing redis-tools (no Redis server found)')
    install(['redis-tools'])
  }
  return redisProgram() !== null
}

function install(packages: readonly string[]): void {
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  apt('update', '-q')
  apt('install', '-y', '-q', '--no-install-recommends', ...packages)
}
