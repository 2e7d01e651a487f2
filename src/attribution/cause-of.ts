/**
 * What every cause owes, so that no author can forget it: which of its needs were not met; for a cause that acts through slow batches,
 * whether there are any, what their account says and whether rows alone explain them; and words in which no name can be obeyed.
 */
import { clean } from '../incident/clean.ts'
import { accountEvidence, rowsExplainAll } from './account-evidence.ts'
import type { Check, Evidence } from './attribution.ts'
import type { Cause, CauseFile, Missing, Need, ThroughBatches, Weighing } from './cause.ts'
import type { Facts } from './facts.ts'
import { keepsUp } from './keeps-up.ts'
import { batchesSeen } from './needs.ts'

/** The whole cause of one file. Pure: the same facts give the same weighing. */
export function causeOf(file: CauseFile): Cause {
  const { name, prior, remedy, through } = file
  const needs: readonly Need[] = through === null ? file.needs : [batchesSeen, ...file.needs]
  return {
    name,
    prior,
    needs,
    remedy,
    weigh(facts) {
      const own = file.weigh(facts)
      const unmet = needs.filter((need) => need.unmet(facts)).map(({ signal, how, weight }): Missing => ({ signal, how, weight }))
      return inCleanWords({
        ...own,
        evidence: through === null ? own.evidence : [...throughBatches(facts, through), ...own.evidence],
        missing: [...unmet, ...own.missing],
      })
    },
  }
}

function throughBatches(facts: Facts, { terms, by }: ThroughBatches): Evidence[] {
  const seen = [keepsUp(facts), accountEvidence(facts, terms), by === 'slower work' ? rowsExplainAll(facts) : null]
  return seen.filter((one) => one !== null)
}

function inCleanWords(weighing: Weighing): Weighing {
  const { evidence, missing, headline } = weighing
  return {
    ...weighing,
    evidence: evidence.map((one) => ({
      ...one,
      says: clean(one.says),
      ...(one.check === undefined ? {} : { check: inCleanExpectation(one.check) }),
    })),
    missing: missing.map((one) => ({ ...one, how: clean(one.how) })),
    headline: clean(headline),
  }
}

/** The command itself keeps the name as it is: there it is one quoted word. */
const inCleanExpectation = (check: Check): Check => ({ ...check, expect: clean(check.expect) })
