import { expect, test } from 'vitest'
import { createGate } from '../../src/triggers/gate.ts'

function gate(most: number, patienceMs: number) {
  const clock = { nowMs: 0 }
  const cut: string[] = []
  const { enter } = createGate(most, patienceMs, () => clock.nowMs)
  return { clock, cut, enter: (name: string) => enter(() => cut.push(name)) }
}

test('places come back when they are left', () => {
  const { enter } = gate(2, 1_000)
  const first = enter('a')
  expect(enter('b')).not.toBeNull()
  expect(enter('c')).toBeNull()
  first!.leave()
  first!.leave()
  expect(enter('d')).not.toBeNull()
  expect(enter('e')).toBeNull()
})

test('whoever has been sending for longest makes room, after its patience', () => {
  const { clock, cut, enter } = gate(2, 1_000)
  enter('slow')
  clock.nowMs = 600
  enter('less slow')
  clock.nowMs = 999
  expect(enter('early')).toBeNull()
  clock.nowMs = 1_000
  expect(enter('next')).not.toBeNull()
  expect(cut).toEqual(['slow'])
  expect(enter('one more')).toBeNull()
})

test('a body that has arrived is not cut, however long its storing takes', () => {
  const { clock, cut, enter } = gate(1, 1_000)
  enter('arrived')!.arrived()
  clock.nowMs = 60_000
  expect(enter('next')).toBeNull()
  expect(cut).toEqual([])
})
