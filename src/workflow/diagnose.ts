/**
 * One diagnosis: collect, join, freeze, judge. What is judged is always the frozen bundle read back, never the value that was
 * frozen: a live verdict and its replay are then the same by construction, byte for byte.
 */
import type { Evidence } from '../incident/evidence.ts'
import type { Pipeline } from '../incident/pipeline.ts'
import { mergeFindings } from '../timeline/merge.ts'
import type { Clock } from './clock.ts'
import { collect } from './collect.ts'
import type { Judgement } from './judge.ts'
import { judge } from './judge.ts'
import type { Look } from './look.ts'
import type { Source } from './ports.ts'

/** How far back a diagnosis looks, ms. */
export const windowMs = 3_600_000

export interface DiagnosePorts {
  readonly sources: readonly Source[]
  readonly clock: Clock
  /** Writes the bundle and reads it back. */
  readonly freeze: (evidence: Evidence) => { readonly bundle: string; readonly evidence: Evidence }
}

export interface DiagnoseRequest {
  readonly pipeline: Pipeline
  /** Since when somebody wants it looked at, epoch ms. A look never goes back less than the usual hour: what was calm before is needed to tell what is not. */
  readonly sinceMs?: number | null
  readonly deadlineMs: number
  readonly thorough: boolean
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
  /** Version of this program and hash of the configuration: kept in the bundle. */
  readonly engine: string
  readonly configHash: string
}

export interface Diagnosis extends Judgement {
  readonly bundle: string
  readonly looks: readonly Look[]
  readonly sawAnything: boolean
}

/** @throws HeadwaterError interrupted */
export async function diagnose(request: DiagnoseRequest, ports: DiagnosePorts): Promise<Diagnosis> {
  const { pipeline, thorough, signal, progress, engine, configHash } = request
  const askedAtMs = ports.clock.nowMs()
  const fromMs = Math.min(request.sinceMs ?? askedAtMs, askedAtMs - windowMs)
  const asked = { pipeline, askedAtMs, fromMs, toMs: askedAtMs }
  const { findings, looks, sawAnything } = await collect(
    { ...asked, thorough, signal, progress },
    ports.sources,
    request.deadlineMs,
    ports.clock,
  )
  const frozen = ports.freeze(mergeFindings(findings, { ...asked, engine, configHash }))
  return { ...judge(frozen.evidence), bundle: frozen.bundle, looks, sawAnything }
}
