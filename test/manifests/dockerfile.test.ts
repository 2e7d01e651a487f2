/** What the Dockerfile says. Each of its steps is tried in test/live/dockerfile.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { last, parseDockerfile } from './parse-dockerfile.ts'
import { manifestText, root } from './read-manifest.ts'

const stages = parseDockerfile(manifestText('Dockerfile'))
const image = stages.at(-1)!
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }

test('several stages on the Node that the program needs, of one version', () => {
  const major = /\d+/.exec(engines.node)![0]
  expect(stages.map((one) => one.image)).toEqual([`node:${major}-slim`, `node:${major}-slim`])
})

test('it runs as somebody without rights, and ends when it is asked to', () => {
  expect(last(image, 'user')!.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(image.steps.findIndex((one) => one.does === 'user')).toBeGreaterThan(image.steps.findLastIndex((one) => one.does === 'copy'))
  expect(last(image, 'stopsignal')!.signal).toBe('SIGTERM')
  expect([...last(image, 'entrypoint')!.command, ...last(image, 'cmd')!.command]).toEqual([
    'node',
    'src/main.ts',
    'serve',
    '--operations',
    '0.0.0.0:9464',
  ])
})

test('it says how it is', () => {
  const { options, command } = last(image, 'healthcheck')!
  expect(options).toEqual({ interval: '15s', timeout: '5s', 'start-period': '20s', retries: '3' })
  expect(command[0]).toBe('node')
  const asks = image.steps.find((one) => one.does === 'env' && one.name === 'HEADWATER_HEALTH')
  expect(asks).toMatchObject({ value: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9464\/healthz$/) as string })
  expect(last(image, 'expose')!.ports).toContain(9464)
})

test('what it copies is let into the build, and nothing else is', () => {
  const let_in = manifestText('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const copied = stages.flatMap(({ steps }) => steps.flatMap((one) => (one.does === 'copy' && one.from === null ? one.what : [])))
  expect([...new Set(copied)].sort()).toEqual(let_in.sort())
})

describe('a line that is not understood is no step', () => {
  test.each(['RUNN npm ci', 'CMD node src/main.ts', 'COPY src', 'ENV A', 'HEALTHCHECK curl localhost'])('%s', (line) => {
    expect(() => parseDockerfile(`FROM node:24-slim\n${line}\n`)).toThrow(line)
  })
})
