/** Which observations a verdict is told with: the strongest first, for and against, and what rules the others out. */
import type { Evidence, RuledOut } from './attribution.ts'
import { ruledOutBy } from './attribution.ts'
import type { Cause } from './cause.ts'
import { RULED_OUT_BELOW } from './coverage.ts'
import type { Judged } from './judge-ranking.ts'
import type { Ranked, Weighed } from './rank.ts'
import { round } from './rank.ts'
import type { Pair } from './second-cause.ts'

/** What weighs less than this, either way, is not worth a line. */
const WORTH_TELLING = 0.05
/** How much of a second cause's evidence is told beside the first's. */
const OF_SECOND = 2

export interface Sayings {
  readonly supporting: readonly Evidence[]
  readonly opposing: readonly Evidence[]
}

/** What speaks for a cause and against it; of two that act together, what each says apart from the other. */
export function sayings(shown: Ranked | undefined, pair: Pair | null, weighed: readonly Weighed[]): Sayings {
  if (shown === undefined) return { supporting: [], opposing: [] }
  const { evidence } = shown.weighing
  if (pair === null || shown.cause !== pair.main) return { supporting: strongest(evidence, 1), opposing: strongest(evidence, -1) }
  const alone = weighed.find((one) => one.cause === pair.second)?.weighing.evidence ?? []
  const main = apart(pair.ofMain, evidence, pair.second)
  const second = strongest(apart(pair.ofSecond, alone, pair.main), 1).slice(0, pair.minor ? 0 : OF_SECOND)
  return { supporting: [...strongest(main, 1), ...second], opposing: strongest(main, -1) }
}

/** A number that holds only where the other cause is taken away is told as what it is. */
function apart(evidence: readonly Evidence[], together: readonly Evidence[], other: Cause): Evidence[] {
  const same = new Set(together.map((one) => one.says))
  const from = `Apart from the ${other.name.replaceAll('_', ' ')}: `
  return evidence.map((one) =>
    same.has(one.says) ? one : { ...one, says: `${from}${one.says.slice(0, 1).toLowerCase()}${one.says.slice(1)}` },
  )
}

function strongest(evidence: readonly Evidence[], sign: 1 | -1): Evidence[] {
  return evidence
    .filter((e) => e.weight * sign > WORTH_TELLING)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.id < b.id ? -1 : 1))
    .map((e) => ({ ...e, weight: round(e.weight) }))
}

/** The number that rules each unlikely cause out. What only follows from another cause is not ruled out, it is explained. */
export function ruledOut({ ranking, consequences }: Judged, shown: Ranked | undefined): RuledOut[] {
  const following = new Set(consequences.map((one) => one.cause))
  return ranking.ranked
    .filter((r) => r !== shown && r.p < RULED_OUT_BELOW && !following.has(r.cause.name))
    .flatMap((r) => ruledOutBy(r.cause.name, strongest(r.weighing.evidence, -1)[0]))
}
