// Brings a session to the state in which a fault may begin: the drill's load is on, and calm for long enough.
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeCalm } from './calm.ts'
import type { Rig } from './layout.ts'
import type { Load } from './load.ts'
import type { Look } from './observe.ts'
import { look } from './observe.ts'
import type { Session } from './session.ts'
import { currentSession, startSession } from './session.ts'
import type { SessionPlan } from './session-plan.ts'
import { samePlan } from './session-plan.ts'
import { setLoad } from './standing-load.ts'
import type { Say } from './up-down.ts'

export interface Ready {
  readonly session: Session
  readonly loadMs: number
  readonly before: Look
  readonly calmBatches: number
}

/** Triggers within which twenty calm batches must have been seen; else the session is given up for a fresh one. */
const CALM_PATIENCE = 50

/**
 * Puts the drill's load on the session of its plan (started when there is none) and waits for twenty calm batches.
 * A session that does not calm down is replaced once by a fresh one; then it throws.
 */
export async function waitForCalm(rig: Rig, plan: SessionPlan, load: Load, say: Say): Promise<Ready> {
  let session = currentSession(rig)
  let fresh = false
  if (session === undefined || !samePlan(session.plan, plan)) {
    session = await freshSession(rig, plan, say)
    fresh = true
  }
  for (;;) {
    const ready = await calmWithin(rig, session, load, say)
    if (typeof ready !== 'string') return ready
    if (fresh) throw new Error(`no calm on a fresh session: ${ready}`)
    say(`  no calm (${ready}); starting a fresh topic and query`)
    session = await freshSession(rig, plan, say)
    fresh = true
  }
}

async function freshSession(rig: Rig, plan: SessionPlan, say: Say): Promise<Session> {
  const startMs = Date.now()
  const session = await startSession(rig, plan)
  const switches = [plan.eventLog ? 'event log' : '', plan.metrics ? 'metrics' : ''].filter((text) => text !== '')
  const seconds = ((Date.now() - startMs) / 1000).toFixed(0)
  say(
    `session ${session.number}: ${plan.partitions} partitions, trigger ${plan.triggerMs / 1000} s, ${switches.join(', ') || 'defaults'}; first commit after ${seconds} s`,
  )
  return session
}

async function calmWithin(rig: Rig, session: Session, load: Load, say: Say): Promise<Ready | string> {
  const { triggerMs } = session.plan
  const loadMs = setLoad(rig, session.number, load)
  const until = Date.now() + CALM_PATIENCE * triggerMs
  let toldMs = Date.now()
  for (;;) {
    const before = await look(rig, session)
    const calm = judgeCalm({ batches: before.batches, sinceMs: loadMs, triggerMs, lag: before.lag, rate: load.rate })
    if (calm.missing === undefined) return { session, loadMs, before, calmBatches: calm.batches }
    if (Date.now() > until) return calm.missing
    if (Date.now() - toldMs > 30_000) {
      toldMs = Date.now()
      say(`  waiting: ${calm.missing}`)
    }
    await sleep(1000)
  }
}
