import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { causes } from '../../src/attribution/causes/index.ts'
import { knobs } from '../../src/incident/knob.ts'
import { levers } from '../../src/proposal/levers/index.ts'
import { referrals } from '../../src/proposal/referrals.ts'
import { remedies } from '../../src/proposal/remedies.ts'

const src = join(import.meta.dirname, '../../src')

test('every file of levers/ stands in its list, and every knob of the closed list has a lever', () => {
  const files = readdirSync(join(src, 'proposal/levers')).filter((file) => file !== 'index.ts')
  const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const listed = new Set([...Object.keys(levers), ...Object.values(levers).map(({ knob }) => knob)].map(kebab))
  for (const file of files) expect(listed).toContain(file.replace('.ts', ''))
  expect(new Set(Object.values(levers).map(({ knob }) => knob))).toEqual(new Set(Object.keys(knobs)))
})

test('every cause that the engine can name has somebody to turn to, and every lever belongs to a cause', () => {
  for (const { name } of causes) if (name !== 'none') expect(Object.keys(referrals)).toContain(name)
  for (const name of Object.keys(remedies)) expect(Object.keys(referrals)).toContain(name)
  const used = new Set(Object.values(remedies).flatMap((one) => one.levers))
  for (const lever of Object.values(levers)) expect(used).toContain(lever)
})
