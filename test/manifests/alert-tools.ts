// promtool and amtool, which check what Prometheus and Alertmanager would read: looked for, brought on Debian as root.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { canInstall } from '../rig/toolchain.ts'
import { root } from './read-manifest.ts'

/** Unpacked, not installed: the packages would start services. */
const cache = join(root, '.cache/alert-tools')
const tools = { promtool: 'prometheus', amtool: 'prometheus-alertmanager' } as const

export type AlertTool = keyof typeof tools

/** How it is called; null = it is not here. */
export function alertTool(name: AlertTool): string | null {
  const brought = join(cache, 'usr/bin', name)
  return [name, brought].find((file) => (file === brought ? existsSync(file) : spawnSync(file, ['--version']).status === 0)) ?? null
}

/** Brings what is missing where that is possible. */
export function ensureAlertTools(say: (line: string) => void): void {
  const missing = (Object.keys(tools) as AlertTool[]).filter((name) => alertTool(name) === null)
  if (missing.length === 0 || !canInstall()) return
  say(`unpacking ${missing.map((name) => tools[name]).join(' and ')} (missing: ${missing.join(', ')})`)
  mkdirSync(cache, { recursive: true })
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { cwd: cache, stdio: 'ignore' })
  run('apt-get', 'update', '-q')
  run('apt-get', 'download', ...missing.map((name) => tools[name]))
  for (const file of readdirSync(cache).filter((name) => name.endsWith('.deb'))) run('dpkg', '-x', file, '.')
}
