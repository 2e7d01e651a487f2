/** `headwater diagnose <pipeline>`: look at a running pipeline, name where pressure began. */
import { gzipSync } from 'node:zlib'
import { diagnoseLive, drawChart } from '../app.ts'
import { renderVerdict } from '../report/terminal.ts'
import { verdictJson } from '../report/verdict-json.ts'
import { chartForm } from './chart-form.ts'
import { choosePipeline, configFile } from './choose-pipeline.ts'
import { effortLines } from './effort.ts'
import type { Io } from './io.ts'
import { complain, exitCodes, wantsColor, widthOf } from './io.ts'
import { assertWritable, writeFiles } from './output-files.ts'
import { startProgress } from './progress.ts'

export interface DiagnoseOptions {
  readonly config?: string
  readonly json?: boolean
  readonly chart?: string
  readonly bundle?: string
  readonly thorough?: boolean
  readonly verbose?: boolean
  /** Seconds. */
  readonly deadline?: number
  readonly zone?: string
}

/** Seconds for everything; looking at heartbeats (every 10 s) twice takes longer. */
export const defaultDeadline = { usual: 10, thorough: 25 } as const

/** @returns the exit code. @throws HeadwaterError */
export async function diagnoseCommand(name: string, options: DiagnoseOptions, io: Io): Promise<number> {
  const begin = performance.now()
  const { pipeline, config } = await choosePipeline(name, configFile(options.config, io), io)
  const paths = [options.chart, options.bundle].filter((path) => path !== undefined)
  if (options.chart !== undefined) chartForm(options.chart)
  await assertWritable(paths)
  const thorough = options.thorough === true
  const deadline = options.deadline ?? (thorough ? defaultDeadline.thorough : defaultDeadline.usual)
  const zone = options.zone ?? config.zone
  const progress = startProgress(io, options.verbose === true)
  const files = new Map<string, string | Uint8Array>()
  const order = { pipeline, deadlineMs: deadline * 1000, thorough, signal: io.signal, progress: progress.say }
  const diagnosis = await diagnoseLive(order).finally(progress.end)
  if (options.bundle !== undefined) files.set(options.bundle, bundleContent(options.bundle, diagnosis.bundle))
  if (options.chart !== undefined) files.set(options.chart, await drawChart(diagnosis, zone, chartForm(options.chart)))
  await writeFiles(files, io.signal)

  if (options.json === true)
    io.stdout.write(`${verdictJson(diagnosis.attribution, diagnosis.timeline, { bundle: options.bundle ?? null })}\n`)
  else {
    const view = { zone, width: widthOf(io), color: wantsColor(io), verbose: options.verbose === true }
    io.stdout.write(renderVerdict(diagnosis.attribution, diagnosis.timeline, view))
  }
  if (options.chart !== undefined) io.stderr.write(`chart: ${options.chart}\n`)
  if (options.bundle !== undefined) io.stderr.write(`bundle: ${options.bundle} (headwater replay ${options.bundle})\n`)
  if (options.verbose === true) io.stderr.write(`${effortLines(diagnosis.looks, (performance.now() - begin) / 1000).join('\n')}\n`)
  if (diagnosis.sawAnything) return exitCodes.done
  complain(io, `nothing could be read of "${name}"; the gaps above say why`)
  return exitCodes.nothingSeen
}

function bundleContent(path: string, bundle: string): string | Uint8Array {
  return path.endsWith('.gz') ? gzipSync(bundle, { level: 9 }) : bundle
}
