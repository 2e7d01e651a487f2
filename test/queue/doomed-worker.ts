// A worker that says which job it has begun and then holds it for ever: for a test that kills it.
import { bullmqQueue } from '../../src/queue/bullmq-queue.ts'

const [url = '', prefix = ''] = process.argv.slice(2)
const clock = { nowMs: () => Date.now(), wait: async () => {} }
const queue = await bullmqQueue({ url, prefix, clock, atOnce: { quick: 5, slow: 5 }, troubled: () => {} })
await queue.work(async ({ key }) => {
  process.stdout.write(`${key}\n`)
  return new Promise<null>(() => {})
})
