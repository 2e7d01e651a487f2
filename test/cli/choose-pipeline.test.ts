import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { choosePipeline } from '../../src/cli/choose-pipeline.ts'
import { fakeIo } from '../fakes/fake-io.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-choose-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'headwater.yaml')

test('a diagnosis on the terminal needs nothing of Slack, and says that it is not in order', async () => {
  writeFileSync(
    file,
    `slack: { team: T01, bot_token_env: SLACK_BOT_TOKEN, app_token_env: SLACK_APP_TOKEN }
webhooks: { listen: nowhere }
pipelines: { orders: { topic: orders, brokers: [a:1] } }`,
  )
  const io = fakeIo()
  const { pipeline } = await choosePipeline('orders', file, io)
  expect(pipeline.topic).toBe('orders')
  expect(io.err()).toBe(`headwater: 3 mistakes in other parts of ${file} (headwater config check ${file})\n`)
})

test('a mistake of the file as a whole stops it', async () => {
  writeFileSync(file, 'zone: Europe/Berln\npipelines: { orders: { topic: orders, brokers: [a:1] } }')
  await expect(choosePipeline('orders', file, fakeIo())).rejects.toThrow('did you mean Europe/Berlin?')
})
