/**
 * The plain closing line of a run, "N passed, N failed, N skipped", which vitest itself does not print.
 * A file that cannot be loaded and an error outside of any test count as failed: silence must never look like success.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Tally } from './tally.ts'
import { closingLine } from './tally.ts'

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tally: Tally = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed++
      for (const test of module.children.allTests()) tally[stateOf(test.result().state)]++
    }
    // test/run.ts adds several runs up; asked directly, vitest ends with the line itself.
    const file = process.env.HEADWATER_TALLY
    if (file === undefined) console.log(closingLine(tally))
    else writeFileSync(file, JSON.stringify(tally))
  }
}

function stateOf(state: string): keyof Tally {
  return state === 'passed' || state === 'skipped' ? state : 'failed'
}
