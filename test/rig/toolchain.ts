// Java and Maven: looked for, brought on Debian as root, else reported by name.
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
  let missing = missingTools()
  if (missing.length === 0) return
  if (canInstall()) {
    say(`installing default-jdk-headless and maven (missing: ${missing.join(', ')})`)
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    apt('update', '-q')
    apt('install', '-y', '-q', '--no-install-recommends', 'default-jdk-headless', 'maven')
    missing = missingTools()
    if (missing.length === 0) return
  }
  throw new Error(
    `the rig needs ${missing.join(', ')}: install a JDK (17 or 21) and Maven, on Debian: apt-get install default-jdk-headless maven`,
  )
}
