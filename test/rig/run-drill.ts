// One drill: wait for calm, inject, hold, ask for the verdict, take the fault away, look after it.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { drawDrill } from './draw-drill.ts'
import { handsOn } from './hands.ts'
import { holdFault, refuseFullDisk } from './hold.ts'
import { judge } from './judge.ts'
import type { Rig } from './layout.ts'
import { writeJson } from './layout.ts'
import type { Load } from './load.ts'
import { MachineWatch } from './machine-watch.ts'
import { look, observed } from './observe.ts'
import { restoring } from './restoring.ts'
import type { Task } from './series.ts'
import type { SessionPlan } from './session-plan.ts'
import { samePlan } from './session-plan.ts'
import { forgetLoad, resetLoad } from './standing-load.ts'
import type { DrillRecord } from './truth.ts'
import { knowable, voidBecause } from './truth.ts'
import type { Say } from './up-down.ts'
import type { Asked } from './verdict.ts'
import { askVerdict } from './verdict.ts'
import { waitForCalm } from './wait-for-calm.ts'

export interface DrillOptions extends Task {
  readonly plan: SessionPlan
  /** False: the product is not asked; the fault is held as long as the answer would have taken. */
  readonly ask: boolean
  /** From the fault to the question; drawn when absent. */
  readonly askAfterMs?: number | undefined
  /** The drill after this one: its load goes on as soon as the fault is over, so that the time from then on is its calm. */
  readonly next?: (Task & { readonly plan: SessionPlan }) | undefined
  /** Folder for the bundle of this drill and its record; none is kept when absent. */
  readonly keepBundle?: string | undefined
}

const AFTER_MS = 12_000
const PRETENDED_ANSWER_MS = 3_000
/** All that a checkpoint keeps by default (spark.sql.streaming.minBatchesToRetain), and some. */
const ALL_KEPT = 1_000

/** Runs one drill on a rig that is up and writes its record to DIR/drills. Throws when the rig itself fails. */
export async function runDrill(rig: Rig, options: DrillOptions, say: Say): Promise<DrillRecord> {
  const { kind, seed, plan } = options
  const { drawn, askAfterMs } = drawDrill(kind, seed, plan, options.askAfterMs)
  refuseFullDisk(rig, askAfterMs)
  const told = knowable(drawn.demandOverCapacity, drawn.mechanism, askAfterMs / 1000)
  const ready = await waitForCalm(rig, plan, drawn.load, say)
  const { session } = ready
  say(`  injecting ${kind}, asking in ${(askAfterMs / 1000).toFixed(0)} s; knowable: ${told.is} (${told.why})`)
  const calmMs = Date.now()
  const watch = new MachineWatch(rig)
  const bundle = join(rig.dir, 'drills', `${kind}-${seed}-${calmMs}.json.gz`)
  mkdirSync(join(rig.dir, 'drills'), { recursive: true })
  const hands = handsOn(rig, session, drawn.load)
  const restore = (): void => {
    hands.release()
    resetLoad(rig, session.number, loadAfter(options) ?? drawn.load)
  }
  try {
    const held = await restoring(restore, async () => {
      forgetLoad(rig)
      await drawn.inject(hands)
      const faultMs = Date.now()
      await holdFault(rig, askAfterMs, say)
      const askedMs = Date.now()
      const askedLook = await look(rig, session, ALL_KEPT)
      const asked = options.ask ? await askVerdict('orders', session.config, bundle) : await pretend()
      return { faultMs, askedMs, askedLook, asked, answeredMs: Date.now() }
    })
    const { faultMs, askedMs, askedLook, asked, answeredMs } = held
    const endMs = Date.now()
    await sleep(AFTER_MS)
    const times = { loadMs: ready.loadMs, calmMs, faultMs, askedMs, answeredMs, endMs, afterMs: Date.now() }
    const machine = watch.between(faultMs, endMs)
    const place = { ...drawn.place, ...hands.place() }
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
      observed: observed(ready.before, askedLook, await look(rig, session, ALL_KEPT), times),
      verdict: asked.verdict,
      verdictSeconds: options.ask ? asked.seconds : null,
      verdictError: asked.error,
      judgement: asked.verdict === null ? null : judge(kind, place, asked.verdict, session.topic),
      bundle: asked.verdict === null || !existsSync(bundle) ? null : bundle,
    }
    writeJson(join(rig.dir, 'drills', `${kind}-${seed}-${calmMs}.json`), record)
    return keep(record, options)
  } finally {
    watch.stop()
  }
}

const pretend = async (): Promise<Asked> => {
  await sleep(PRETENDED_ANSWER_MS)
  return { verdict: null, seconds: 0, error: null }
}

/** The next drill's load where it runs on the same session. */
function loadAfter({ plan, next }: DrillOptions): Load | undefined {
  if (next === undefined || !samePlan(plan, next.plan)) return undefined
  return drawDrill(next.kind, next.seed, next.plan).drawn.load
}

/** Copies the bundle and writes the record beside it, under names that tell the drill. */
function keep(record: DrillRecord, { keepBundle }: DrillOptions): DrillRecord {
  if (record.bundle === null || keepBundle === undefined) return record
  mkdirSync(keepBundle, { recursive: true })
  const name = join(keepBundle, `${record.kind}-${record.seed}`)
  const kept: DrillRecord = { ...record, bundle: `${name}.json.gz` }
  copyFileSync(record.bundle, `${name}.json.gz`)
  writeJson(`${name}.json`, kept)
  return kept
}
