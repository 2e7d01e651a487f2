/**
 * The facts as they would be without the doing of one cause, by physics alone: rows follow the intake, a batch takes its fixed time plus
 * its rows' time over the slots, and what is the cause's own in the account goes back to its usual value. What is left is what the
 * cause does not explain: a second cause stands on it, a consequence does not (engine.md §3.6).
 */
import type { Account } from '../timeline/account.ts'
import { excessOf } from '../timeline/account.ts'
import type { Episode } from '../timeline/episode.ts'
import { concentration, shareShift } from '../timeline/intake.ts'
import type { TimedBatch } from '../timeline/timeline.ts'
import { effects } from './effects.ts'
import type { Facts } from './facts.ts'
import { addUp } from './facts.ts'
import { atRows, pressure } from './pressure.ts'
import { withRows } from './without-account.ts'
import { intakeWithout } from './without-intake.ts'

/** null where the cause's doing cannot be taken away: nothing of it is known, or nothing of the incident was measured. */
export function without(cause: string, facts: Facts): Facts | null {
  const effect = Object.hasOwn(effects, cause) ? effects[cause] : undefined
  const { usual, episode, timeline } = facts
  if (effect === undefined || usual === null || episode === null || facts.ill.length === 0) return null
  const intake = effect.intake === undefined ? facts.intake : intakeWithout(effect.intake, facts)
  if (effect.intake !== undefined && intake === null) return null
  const share = intake !== null && facts.intake !== null && facts.intake.now > 0 ? intake.now / facts.intake.now : 1
  const ill = facts.ill.map((account) => {
    const own = effect.account === undefined ? account : effect.account(account, usual, facts)
    // Rows that the account did not tell apart by partition follow the intake as a whole.
    return effect.intake !== undefined && own === account && account.rows !== null ? withRows(account, usual, account.rows * share) : own
  })
  const byId = new Map(ill.map((account) => [account.id, account]))
  const batches = episode.ill.map((batch) => {
    const account = byId.get(batch.id)
    // A batch of the episode that was not slow itself has no account, and stays as it was.
    return account === undefined ? batch : { ...batch, seconds: account.seconds, rows: account.rows }
  })
  const finished = finishedOf(ill, episode)
  const excess = addUp((finished.length > 0 ? finished : ill).map((a) => excessOf(a, usual)))
  const rest = restOf(episode, batches)
  return {
    ...facts,
    ...effect.facts?.(facts),
    episode: rest,
    ill,
    excess,
    excessSeconds: Object.values(excess).reduce((a, b) => a + b, 0),
    intake,
    shift: intake === null ? null : shareShift(intake),
    concentration: intake === null ? null : concentration(intake),
    pressure: pressure(usual, finished, intake, rest, timeline.triggerS),
  }
}

function finishedOf(ill: readonly Account[], episode: Episode | null): readonly Account[] {
  const open = new Set(episode?.ill.filter((b) => b.open).map((b) => b.id))
  return ill.filter((a) => !open.has(a.id))
}

/** What is left begins with the first batch that is still too long; where none is, nobody can say when. */
function restOf(episode: Episode, batches: readonly TimedBatch[]): Episode {
  const first = batches.findIndex((b) => b.seconds > episode.limit)
  if (first < 0) return { ...episode, ill: batches, censored: true }
  const ill = batches.slice(first)
  return { ...episode, ill, from: (ill[0] as TimedBatch).start, since: batches[first - 1]?.start ?? episode.since }
}

/**
 * Seconds that the ill batches take longer than usual with the records of one trigger at the present intake (rows that wait because
 * earlier batches were slow are no demand). 0 where nothing is ill.
 */
export function extraSeconds(facts: Facts): number {
  const { usual, intake, episode } = facts
  if (usual === null) return 0
  const finished = finishedOf(facts.ill, episode)
  const demand =
    usual.rows === null || intake === null || intake.before <= 0 ? null : Math.max(1, usual.rows * (intake.now / intake.before))
  const seconds = (a: Account) => (demand === null ? a : (atRows(a, demand) ?? a)).seconds
  return (finished.length > 0 ? finished : facts.ill).reduce((sum, a) => sum + Math.max(0, seconds(a) - usual.seconds), 0)
}
