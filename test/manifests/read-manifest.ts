/** What stands in `manifests/`, as its readers see it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export const root = join(import.meta.dirname, '../..')
export const manifestPath = (name: string): string => join(root, 'manifests', name)
export const manifestText = (name: string): string => readFileSync(manifestPath(name), 'utf8')

/** With merge keys (`<<`), as Docker Compose reads them. */
export const manifest = <T>(name: string): T => parse(manifestText(name), { merge: true }) as T

export function manifests<T>(name: string): T[] {
  const documents = parseAllDocuments(manifestText(name))
  return documents.map((one) => {
    const [mistake] = one.errors
    if (mistake !== undefined) throw new Error(`${name}: ${mistake.message}`)
    return one.toJS() as T
  })
}

/** Every variable that a configuration takes a secret from, in its order. */
export const variablesOf = (config: string): string[] => [...new Set([...config.matchAll(/_env: (\w+)/g)].map((found) => found[1]!))]

/** An environment in which each of these holds something that is long enough; addresses are addresses. */
export function filled(variables: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    variables.map((name) => [name, name === 'REDIS_URL' ? 'redis://redis:6379/0' : 'a secret of the tests, and long enough']),
  )
}
