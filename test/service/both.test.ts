/** `headwater serve` without a role: two processes that come and go as one. */
import { appendFileSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { redisProgram } from '../rig/toolchain.ts'
import type { Service } from './town.ts'
import { alerts, eventually, homes, town } from './town.ts'

/** Processes that this one has started, as Linux says. */
function startedBy({ child: { pid } }: Service): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

function runs(pid: number): boolean {
  try {
    // Ended and not yet fetched by anybody counts as ended.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe.skipIf(redisProgram() === null || process.platform !== 'linux')('role all', { timeout: 120_000 }, () => {
  test('works, tells of both processes in one place, and ends them both', async () => {
    const place = await town()
    const service = place.start('all')
    const { webhooks, operations } = await service.serving()
    await eventually(() => startedBy(service).length === 1, 15_000)
    const [worker] = startedBy(service)
    await alerts(webhooks, [{ pipeline: 'orders', fingerprint: 'a1a1a1a1a1a1a1a1' }])
    await eventually(() => homes(place).length === 1, 30_000)
    const ready = async () => (await fetch(`${operations}/readyz`)).status
    await eventually(async () => (await ready()) === 200, 10_000)
    const text = await (await fetch(`${operations}/metrics`)).text()
    expect(text).toMatch(/headwater_jobs_total\{kind="diagnose",outcome="done"\} 1/)
    expect(text).toMatch(/headwater_queue_jobs\{lane="slow",state="waiting"\} 0/)
    expect(text).toMatch(/headwater_worker_resident_memory_bytes \d+/)
    expect(text).toMatch(/headwater_worker_up 1/)
    expect(new Set(service.log.map((line) => line.process))).toEqual(new Set(['app', 'worker']))
    expect(text).toMatch(/headwater_webhook_requests_total\{format="alertmanager",outcome="stored"\} 1/)
    const { code, ms } = await service.end('SIGTERM')
    expect([code, ms < 10_000, runs(worker!)]).toEqual([0, true, false])
    expect(service.stderr()).toContain('stopping: what is under way is finished or handed back')
  })

  test('the process that works is killed: that is said, and another one takes over', async () => {
    const place = await town()
    const service = place.start('all')
    const { webhooks, operations } = await service.serving()
    await eventually(() => startedBy(service).length === 1, 15_000)
    const [first] = startedBy(service)
    process.kill(first!, 'SIGKILL')
    await eventually(() => service.said('the process that works has ended; it is started anew'), 10_000)
    expect((await fetch(`${operations}/readyz`)).status).toBe(503)
    await alerts(webhooks, [{ pipeline: 'orders', fingerprint: 'b2b2b2b2b2b2b2b2' }])
    await eventually(() => homes(place).length === 1, 30_000)
    expect(startedBy(service)).not.toEqual([first])
    await eventually(async () => (await fetch(`${operations}/readyz`)).status === 200, 10_000)
  })

  test('its file has changed when the process that works comes back: that is said, and after some tries the service ends', async () => {
    const place = await town()
    const service = place.start('all')
    await service.serving()
    await eventually(() => startedBy(service).length === 1, 15_000)
    appendFileSync(place.config, '# another one\n')
    process.kill(startedBy(service)[0]!, 'SIGKILL')
    await eventually(() => service.child.exitCode !== null, 60_000)
    expect(service.child.exitCode).toBe(3)
    expect(service.stderr()).toContain('has changed since the service was started')
    expect(service.said('the process that works dies again and again; the service ends')).toBe(true)
  })

  test('the process that takes in is killed: the other one does not stay behind', async () => {
    const place = await town()
    const service = place.start('all')
    await service.serving()
    await eventually(() => startedBy(service).length === 1, 15_000)
    const [worker] = startedBy(service)
    await service.end('SIGKILL')
    await eventually(() => !runs(worker!), 15_000)
  })
})
