import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { httpReceiver } from '../../src/slack/http-receiver.ts'

const log = createLog({ write: () => {} })

test.each<[string, string, number | null, string]>([
  ['that another program has', '127.0.0.1', null, 'another program, perhaps another Headwater, listens there already'],
  ['that is none of this machine', '203.0.113.7', 0, 'this machine has no such address'],
])('an address %s is said, with its setting', async (_, host, own, why) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const port = own ?? (other.address() as AddressInfo).port
  await expect(httpReceiver({ signingSecret: 'secret', listen: { host, port }, log }).start()).rejects.toMatchObject({
    code: 'address_taken',
    message: `cannot serve what Slack sends at ${host}:${port}: ${why}; change "listen:" below "slack:"`,
  })
})
