/** What a decision sets going: "Applied" plans the recovery check, "Taken back" ends it, and that and "need more" ask for another look. */
import type { Incident } from '../incident/incident.ts'
import type { Press } from '../incident/input.ts'
import { askFor } from '../incident/join.ts'
import { beginCheck } from '../incident/note-look.ts'
import { newestOpening } from '../incident/openings.ts'
import { planLooks } from '../recovery/schedule.ts'

/** A longer window than the usual hour, ms. */
const longerMs = 3 * 3_600_000

export function afterDecision(incident: Incident, press: Press, nowMs: number): Incident {
  if (press.button === 'applied') {
    const card = newestOpening(incident, press.hash)
    // Of a closed incident it is written down that it was applied; nobody waits for more.
    if (card === undefined || incident.state === 'closed') return incident
    return { ...incident, recovery: beginCheck(card.hash, press.atMs, planLooks(card.proposal, press.atMs)) }
  }
  if (press.button === 'taken_back') {
    if (incident.state === 'closed') return incident
    const { recovery } = incident
    // What is in force no longer cannot be judged; what was judged stays told.
    const over = recovery !== null && recovery.outcome === null ? { ...incident, recovery: null } : incident
    return askFor(over, press.key, null, nowMs)
  }
  if (press.button !== 'need_more' || press.more === null) return incident
  if (press.more.want === 'longer_window') return askFor(incident, press.key, nowMs - longerMs, nowMs)
  // "Why not X" is answered from the verdict that is there, in the thread.
  return press.more.want === 'why_not' ? incident : askFor(incident, press.key, null, nowMs, { thorough: true })
}
