/** Fetches the newest SQL executions in few bounded requests, although the list is oldest first and tells no length. */
import type { Gap } from '../incident/evidence.ts'
import type { SqlExecution } from './spark-executions.ts'
import { parseExecutions, planListing } from './spark-executions.ts'
import type { Driver } from './spark-rest.ts'
import { gap, LIST_LIMITS, SMALL_LIMITS } from './spark-rest.ts'

/** Rows of one request. A batch has 1 row, with Delta 4 or 5: 100 batches are about 450. 1,000 rows are 400 KB and some 50 ms. */
const PAGE = 500
/** Most rows read in one look. */
export const MOST_ROWS = 600
const MOST_PAGES = 4

export interface SqlListing {
  readonly executions: readonly SqlExecution[]
  readonly gaps: readonly Gap[]
}

const path = (app: string, offset: number, length: number): string =>
  `${app}/sql?details=false&planDescription=false&offset=${offset}&length=${length}`

const WHAT = 'SQL executions (time of addBatch)'

/** `from`/`to` = lowest and highest root execution wanted, from the jobs' tags (Spark 4.x). Two requests as a rule. */
export async function listByTags(driver: Driver, app: string, from: number, to: number): Promise<SqlListing> {
  const probe = await driver.ask(path(app, 0, 1), parseExecutions, WHAT, SMALL_LIMITS)
  if (probe.value === null) return { executions: [], gaps: probe.gaps }
  const oldest = probe.value[0]?.id
  if (oldest === undefined) return { executions: [], gaps: [gap('Spark lists no SQL execution, so the time of addBatch is not known')] }
  const plan = planListing(oldest, from, to, MOST_ROWS)
  const executions: SqlExecution[] = []
  let { offset } = plan
  for (let page = 0; page < MOST_PAGES; page++) {
    const got = await driver.ask(path(app, offset, plan.length), parseExecutions, WHAT, LIST_LIMITS)
    if (got.value === null) return { executions, gaps: got.gaps }
    executions.push(...got.value)
    // Ids were not consecutive: the newest row is further on.
    if (got.value.length < plan.length || (executions.at(-1)?.id ?? 0) >= to) break
    offset += plan.length
  }
  return { executions, gaps: [] }
}

/** Without tags (Spark 3.5): feels for the end of the list, then takes what stands before it. Two or three requests. */
export async function listNewest(driver: Driver, app: string): Promise<SqlListing> {
  let pages: SqlExecution[] = []
  let offset = PAGE
  for (let page = 0; page < MOST_PAGES; page++) {
    const got = await driver.ask(path(app, offset, PAGE), parseExecutions, WHAT, LIST_LIMITS)
    if (got.value === null) return { executions: pages, gaps: got.gaps }
    pages = [...pages, ...got.value]
    if (got.value.length < PAGE) break
    offset += PAGE
  }
  if (pages.length >= PAGE) return { executions: pages.slice(-MOST_ROWS), gaps: [] }
  const before = await driver.ask(path(app, pages.length, PAGE - pages.length), parseExecutions, WHAT, LIST_LIMITS)
  return { executions: [...(before.value ?? []), ...pages], gaps: before.gaps }
}
