/**
 * The intake as it would be without a surge, without the hot partitions, or without records that came late: each takes away its own
 * part and leaves the others', so that two of them together can be told apart.
 */
import type { IntakeChange, PartitionIntake } from '../timeline/intake.ts'
import { withoutLate } from '../timeline/intake.ts'
import type { Facts } from './facts.ts'

export type IntakePart = 'common' | 'single' | 'late'

/** null where intake was not seen, or the part is not there. */
export function intakeWithout(part: IntakePart, facts: Facts): IntakeChange | null {
  const { intake, concentration, lateness } = facts
  if (intake === null || intake.now <= 0) return null
  if (part === 'late') return withoutLate(intake, lateness?.partitions ?? [])
  const single = new Set(concentration?.partitions.map(keyOf))
  // How much all the others rose: that is what the hot ones would have risen as well.
  const rest = intake.partitions.filter((p) => !single.has(keyOf(p)))
  const before = rest.reduce((a, p) => a + p.before, 0)
  const common = before > 0 ? rest.reduce((a, p) => a + p.now, 0) / before : 1
  if (part === 'single') {
    if (single.size === 0) return null
    // Where the others fell, the hot ones took what was theirs.
    return changed(intake, (p) => (common < 1 ? p.before : single.has(keyOf(p)) ? p.before * common : p.now))
  }
  if (common <= 1) return null
  return changed(intake, (p) => (single.has(keyOf(p)) ? Math.max(p.before, p.now - (common - 1) * p.before) : p.now / common))
}

function changed(intake: IntakeChange, now: (p: PartitionIntake) => number): IntakeChange {
  const partitions = intake.partitions.map((p) => ({ ...p, now: now(p) }))
  return { ...intake, partitions, now: partitions.reduce((a, p) => a + p.now, 0) }
}

export const keyOf = (p: { readonly topic: string; readonly partition: number }) => `${p.topic}\u0000${p.partition}`
