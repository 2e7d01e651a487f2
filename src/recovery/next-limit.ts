/** Where the pressure went when the diagnosis names nothing yet: the largest part of the time that a batch takes longer than it usually did. */
import { gatherFacts } from '../attribution/facts.ts'
import { duration } from '../incident/format.ts'
import type { Look } from '../proposal/grounds.ts'
import type { Account, Excess } from '../timeline/account.ts'
import { accountOf, excessOf, usualAccount } from '../timeline/account.ts'
import type { JudgedWindow } from './judged-window.ts'

const words: Readonly<Record<keyof Excess, string>> = {
  volume: 'all slots together do not work off what arrives',
  cost: 'a record costs more task time than before',
  slots: 'fewer slots than before share the work',
  unevenness: 'slots wait for a few long tasks',
  work: 'its jobs take longer than before',
  sinkCommit: 'the commit of the table takes longer than before',
  checkpoint: 'the checkpoint takes longer than before',
  planning: 'planning takes longer than before',
  latestOffset: 'asking the brokers for new offsets takes longer than before',
  driver: 'the driver takes longer than before between its jobs',
}

export function nextLimit(before: Look, now: Look, window: JudgedWindow): string {
  const { timeline } = now
  const late = window.batches.filter((b) => timeline.triggerS === null || b.seconds > timeline.triggerS)
  if (late.length <= window.batches.length / 2) return 'batches are in time, so a cap holds the reader'
  const { usual } = gatherFacts(before.timeline)
  const typical = usualAccount(late.map((b) => accountOf(b, timeline)))
  if (usual === null || typical === null) return words.volume
  // A late batch holds the backlog of the one before it: with as many records as usual only what got slower is left.
  const excess = excessOf(asLarge(typical, usual), usual)
  const [most] = (Object.entries(excess) as [keyof Excess, number][]).toSorted(([, a], [, b]) => b - a)
  if (most === undefined || most[0] === 'volume' || most[1] < 0.5 * usual.seconds) return words.volume
  return `${words[most[0]]}, by ${duration(most[1])} a batch`
}

function asLarge(account: Account, { rows }: Account): Account {
  const { jobs, run, seconds } = account
  if (rows === null || account.rows === null || account.rows <= 0 || jobs === null) return account
  const factor = rows / account.rows
  return { ...account, rows, jobs: jobs * factor, run: run === null ? null : run * factor, seconds: seconds - jobs + jobs * factor }
}
