import { describe, expect, test } from 'vitest'
import type { Machine } from '../../src/demo/demo-clock.ts'
import { demoClock } from '../../src/demo/demo-clock.ts'

/** A machine whose time is moved by hand. */
function handMachine(): Machine & { readonly pass: (ms: number) => Promise<void> } {
  let now = 1_000_000
  const timers = new Set<{ readonly dueMs: number; readonly act: () => void }>()
  return {
    nowMs: () => now,
    after(ms, act) {
      const timer = { dueMs: now + ms, act }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        const next = [...timers].filter((one) => one.dueMs <= end).toSorted((a, b) => a.dueMs - b.dueMs)[0]
        if (next === undefined) break
        timers.delete(next)
        now = Math.max(now, next.dueMs)
        next.act()
        await Promise.resolve()
      }
      now = end
    },
  }
}

const never = new AbortController().signal

function waited(promise: Promise<void>): { over: boolean } {
  const state = { over: false }
  void promise.then(() => {
    state.over = true
  })
  return state
}

describe('the clock of the demo', () => {
  test('ten times as fast, 60 s of the demo are 6 s of the machine, also for whoever was waiting before', async () => {
    const machine = handMachine()
    const clock = demoClock(machine)
    const minute = waited(clock.wait(60_000, never))
    await machine.pass(10_000)
    clock.setPace(10)
    expect(clock.nowMs()).toBe(1_010_000)
    await machine.pass(4_999)
    expect(minute.over).toBe(false)
    await machine.pass(1)
    expect(minute.over).toBe(true)
    expect(clock.nowMs()).toBe(1_060_000)
  })

  test('slowed down again, it does not jump', async () => {
    const machine = handMachine()
    const clock = demoClock(machine)
    clock.setPace(10)
    await machine.pass(1_000)
    clock.setPace(1)
    const ten = waited(clock.wait(10_000, never))
    await machine.pass(9_999)
    expect([clock.nowMs(), ten.over]).toEqual([1_019_999, false])
    await machine.pass(1)
    expect(ten.over).toBe(true)
  })

  test('a leap wakes whoever would have woken by then, and never goes back', async () => {
    const machine = handMachine()
    const clock = demoClock(machine)
    const minute = waited(clock.wait(60_000, never))
    const hour = waited(clock.wait(3_600_000, never))
    clock.leapTo(clock.nowMs() + 90_000)
    await machine.pass(0)
    expect([minute.over, hour.over]).toEqual([true, false])
    clock.leapTo(1_000_000)
    expect(clock.nowMs()).toBe(1_090_000)
  })

  test('whoever calls it off waits no longer', async () => {
    const clock = demoClock(handMachine())
    const stop = new AbortController()
    const minute = waited(clock.wait(60_000, stop.signal))
    stop.abort()
    await Promise.resolve()
    expect(minute.over).toBe(true)
    expect(waited(clock.wait(60_000, stop.signal))).toEqual({ over: false })
  })
})
