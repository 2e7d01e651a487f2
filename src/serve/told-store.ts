/** The store, with a line in the log for each move of an incident and each message that reached Slack, or did not. */
import { incidentIn } from '../incident/incident-in.ts'
import type { Log } from '../log.ts'
import type { Change, Delivery, Store } from '../workflow/incident-ports.ts'
import type { Counts } from './figures.ts'

export function toldStore(store: Store, log: Log, counts: Pick<Counts, 'message'>): Store {
  return {
    ...store,
    async commit(change) {
      const outcome = await store.commit(change)
      if (outcome === 'done' && change.incident !== null) {
        const { incident } = change
        log.info('an incident moved', { incident: incident.value.id, ...moveFields(change, incident) })
      }
      return outcome
    },
    async deliver(before, after) {
      const moved = await store.deliver(before, after)
      if (moved) tellDelivery(before, after, log, counts)
      return moved
    },
  }
}

function moveFields({ inputs, messages, jobs, ledger }: Change, { value, version }: NonNullable<Change['incident']>) {
  const { pipeline, state, verdict, remedy, recovery } = value
  return {
    pipeline,
    version: version + 1,
    state,
    inputs: inputs.length,
    messages: messages.length,
    jobs: jobs.map(({ kind }) => kind),
    ...(verdict === null ? {} : { revision: verdict.revision, outcome: verdict.outcome, cause: verdict.cause, remedy: remedy?.kind }),
    ...(recovery === null ? {} : { recovery: recovery.outcome ?? 'under way' }),
    ...(ledger === null ? {} : { signed: ledger.entries.map(({ number, what }) => `${number} ${what}`) }),
  }
}

function tellDelivery(before: Delivery, after: Delivery, log: Log, counts: Pick<Counts, 'message'>): void {
  const about = { ...incidentIn(after.slot), slot: after.slot }
  if (before.state === 'sending' && after.state === 'sent') {
    const posted = before.ts === null
    counts.message(posted ? 'posted' : 'edited')
    if (posted) log.info('a message stands in Slack', { ...about, ts: after.ts, edition: after.edition })
    else log.info('a message was edited', { ...about, edition: after.edition })
  }
  if (after.state === 'refused' && before.state !== 'refused') {
    counts.message('refused')
    log.warn('Slack refuses a message for good', { ...about, code: after.why })
  }
  if (after.removed > before.removed) {
    counts.message('copy_removed', after.removed - before.removed)
    log.warn('a second copy of a message was found and removed', { ...about, copies: after.removed })
  }
}
