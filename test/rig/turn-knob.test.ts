import { expect, test } from 'vitest'
import type { Rig } from './layout.ts'
import type { Session } from './session.ts'
import { turnKnob } from './turn-knob.ts'

test('a knob that this rig has no hands for is refused before anything is stopped', async () => {
  // neither has any part that could be touched
  const [rig, session] = [{}, {}] as [Rig, Session]
  await expect(turnKnob(rig, session, { knob: 'partition reassignment', to: 3 })).rejects.toThrow('cannot turn partition reassignment')
})
