/** headwater.example.yaml: what the command that checks configurations says of it, and that serve has all it needs. */
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { missingForService, serviceSettings } from '../../src/config/service.ts'
import { fakeIo } from '../fakes/fake-io.ts'
import { filled, manifestPath, manifestText, variablesOf } from './read-manifest.ts'

const file = manifestPath('headwater.example.yaml')
const variables = variablesOf(manifestText('headwater.example.yaml'))

test('config check finds nothing wrong with it once its secrets are in the environment', async () => {
  const io = fakeIo({ env: filled(variables) })
  expect([await run(['config', 'check', file], io), io.out()]).toEqual([
    0,
    `${file} is right: 2 pipelines (orders, payments), times in Europe/Berlin\n`,
  ])
  const bare = fakeIo()
  expect(await run(['config', 'check', file], bare)).toBe(1)
  expect(bare.out()).toContain('environment variable HEADWATER_LEDGER_KEY is not set')
})

test('serve has all it needs in it', () => {
  const reading = readConfig(manifestText('headwater.example.yaml'), { env: filled(variables), folder: '/' })
  expect(missingForService(reading)).toEqual([])
  expect(serviceSettings(reading)).not.toBe(null)
})
