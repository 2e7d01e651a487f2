// One drill: wait for calm, inject, hold, ask for the verdict, take the fault away, look after it.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeCalm } from './calm.ts'
import type { Drawn } from './faults/fault.ts'
import { faultOf } from './faults/index.ts'
import { handsOn } from './hands.ts'
import { judge } from './judge.ts'
import type { Rig } from './layout.ts'
import { writeJson } from './layout.ts'
import { MachineWatch } from './machine-watch.ts'
import type { Look } from './observe.ts'
import { look, observed } from './observe.ts'
import { drawFrom } from './prng.ts'
import type { Session } from './session.ts'
import { currentSession, startSession } from './session.ts'
import type { SessionPlan } from './session-plan.ts'
import { resetLoad, setLoad } from './standing-load.ts'
import type { DrillRecord } from './truth.ts'
import { knowable, voidBecause } from './truth.ts'
import type { Say } from './up-down.ts'
import type { Asked } from './verdict.ts'
import { askVerdict } from './verdict.ts'

export interface DrillOptions {
  readonly kind: string
  readonly seed: number
  readonly plan: SessionPlan
  /** False: the product is not asked; the fault is held as long as the answer would have taken. */
  readonly ask: boolean
  /** Folder for the bundle of this drill; none is kept when absent. */
  readonly keepBundle?: string | undefined
}

const ASK_AFTER_S = { low: 30, high: 60 } as const
const AFTER_MS = 12_000
const PRETENDED_ANSWER_MS = 3_000
/** Triggers within which twenty calm batches must have been seen; else the session is given up for a fresh one. */
const CALM_PATIENCE = 50

interface Ready {
  readonly session: Session
  readonly loadMs: number
  readonly before: Look
  readonly calmBatches: number
}

/** Runs one drill on a rig that is up and writes its record to DIR/drills. Throws when the rig itself fails. */
export async function runDrill(rig: Rig, options: DrillOptions, say: Say): Promise<DrillRecord> {
  const { kind, seed, plan } = options
  const drawn = faultOf(kind).draw(drawFrom(kind, seed), plan)
  const askAfterMs = 1000 * drawFrom('ask', kind, seed).between(ASK_AFTER_S.low, ASK_AFTER_S.high)
  const told = knowable(drawn.demandOverCapacity, drawn.mechanism, askAfterMs / 1000)
  const ready = await waitForCalm(rig, plan, drawn, say)
  const { session } = ready
  say(`  injecting ${kind}, asking in ${(askAfterMs / 1000).toFixed(0)} s; knowable: ${told.is} (${told.why})`)
  const calmMs = Date.now()
  const watch = new MachineWatch(rig)
  const bundle = join(rig.dir, 'drills', `${kind}-${seed}-${calmMs}.json.gz`)
  mkdirSync(join(rig.dir, 'drills'), { recursive: true })
  try {
    const restore = () => resetLoad(rig, session.number, drawn.load)
    const faultMs = Date.now()
    const { place, asked, askedLook, askedMs, answeredMs } = await withFault(rig, drawn, restore, async (known) => {
      await sleep(askAfterMs)
      const [first, looked] = [Date.now(), await look(rig, session)]
      const answer = options.ask ? await askVerdict('orders', session.config, bundle) : await pretend()
      return { place: { ...drawn.place, ...known }, asked: answer, askedLook: looked, askedMs: first, answeredMs: Date.now() }
    })
    const endMs = Date.now()
    await sleep(AFTER_MS)
    const times = { loadMs: ready.loadMs, calmMs, faultMs, askedMs, answeredMs, endMs, afterMs: Date.now() }
    const machine = watch.between(faultMs, endMs)
    const record: DrillRecord = {
      kind,
      seed,
      session: { ...session.plan, number: session.number, topic: session.topic },
      load: drawn.load,
      place,
      parameters: drawn.parameters,
      knowable: told,
      calmBatches: ready.calmBatches,
      times,
      machine,
      void: voidBecause(machine),
      observed: observed(ready.before, askedLook, await look(rig, session), times),
      verdict: asked.verdict,
      verdictSeconds: options.ask ? asked.seconds : null,
      verdictError: asked.error,
      judgement: asked.verdict === null ? null : judge(kind, place, asked.verdict, session.topic),
      bundle: keep(bundle, asked, options),
    }
    writeJson(join(rig.dir, 'drills', `${kind}-${seed}-${calmMs}.json`), record)
    return record
  } finally {
    watch.stop()
  }
}

const pretend = async (): Promise<Asked> => {
  await sleep(PRETENDED_ANSWER_MS)
  return { verdict: null, seconds: 0, error: null }
}

/** Holds the fault while `hold` runs and takes it away however that ends, also on Ctrl-C. */
async function withFault<T>(rig: Rig, drawn: Drawn, restore: () => void, hold: (known: Partial<Drawn['place']>) => Promise<T>): Promise<T> {
  const interrupted = (): never => {
    restore()
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  try {
    return await hold(drawn.inject(handsOn(rig, drawn.load)))
  } finally {
    restore()
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
}

/**
 * Puts the drill's load on the session of its plan (started when there is none) and waits for twenty calm batches.
 * A session that does not calm down is replaced once by a fresh one; then it throws.
 */
async function waitForCalm(rig: Rig, plan: SessionPlan, drawn: Drawn, say: Say): Promise<Ready> {
  let session = currentSession(rig)
  let fresh = false
  if (session === undefined || JSON.stringify(session.plan) !== JSON.stringify(plan)) {
    session = await freshSession(rig, plan, say)
    fresh = true
  }
  for (;;) {
    const ready = await calmWithin(rig, session, drawn, say)
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

async function calmWithin(rig: Rig, session: Session, drawn: Drawn, say: Say): Promise<Ready | string> {
  const { triggerMs } = session.plan
  const loadMs = setLoad(rig, session.number, drawn.load)
  const until = Date.now() + CALM_PATIENCE * triggerMs
  let toldMs = Date.now()
  for (;;) {
    const before = await look(rig, session)
    const rate = drawn.load.rate
    const calm = judgeCalm({ batches: before.batches, sinceMs: loadMs, triggerMs, lag: before.lag, rate })
    if (calm.missing === undefined) return { session, loadMs, before, calmBatches: calm.batches }
    if (Date.now() > until) return calm.missing
    if (Date.now() - toldMs > 30_000) {
      toldMs = Date.now()
      say(`  waiting: ${calm.missing}`)
    }
    await sleep(1000)
  }
}

function keep(bundle: string, asked: Asked, options: DrillOptions): string | null {
  if (asked.verdict === null || !existsSync(bundle)) return null
  if (options.keepBundle === undefined) return bundle
  mkdirSync(options.keepBundle, { recursive: true })
  const kept = join(options.keepBundle, `${options.kind}-${options.seed}.json.gz`)
  copyFileSync(bundle, kept)
  return kept
}
