/** `headwater replay FILE…`: judge bundles again, one after the other, without looking at anything else. */
import { drawChart, replayBundle } from '../app.ts'
import { readerZone } from '../config/reader-zone.ts'
import { HeadwaterError, messageOf } from '../errors.ts'
import { renderVerdict } from '../report/terminal.ts'
import { verdictJson } from '../report/verdict-json.ts'
import { maxBundleBytes, tooLarge } from '../sources/bundle.ts'
import type { Judgement } from '../workflow/judge.ts'
import { chartForm } from './chart-form.ts'
import type { Io } from './io.ts'
import { complain, exitCodes, wantsColor, widthOf } from './io.ts'
import { assertWritable, writeFiles } from './output-files.ts'
import { readInput } from './read-input.ts'

export interface ReplayOptions {
  readonly json?: boolean
  readonly timing?: boolean
  readonly verbose?: boolean
  readonly zone?: string
  readonly chart?: string
}

/** @returns 1 when any file could not be judged; the others are judged all the same. @throws HeadwaterError */
export async function replayCommand(files: readonly string[], options: ReplayOptions, io: Io): Promise<number> {
  if (options.chart !== undefined) {
    if (files.length > 1) throw new HeadwaterError('usage', '--chart draws one bundle; name one file')
    chartForm(options.chart)
    await assertWritable([options.chart])
  }
  let bad = 0
  for (const [i, file] of files.entries()) {
    if (io.signal.aborted) throw new HeadwaterError('interrupted', 'interrupted')
    try {
      const content = await readInput(file, io, { mostBytes: maxBundleBytes, tooLarge })
      const begin = performance.now()
      const judgement = replayBundle(content)
      const ms = performance.now() - begin
      if (options.json !== true && files.length > 1) io.stdout.write(`${i === 0 ? '' : '\n'}${file}\n\n`)
      await print(file, judgement, { ...options, ms }, io)
    } catch (error) {
      if (error instanceof HeadwaterError && error.code === 'interrupted') throw error
      bad++
      complain(
        io,
        `${file === '-' ? 'standard input' : file}: ${error instanceof HeadwaterError ? error.message : `could not be judged: ${messageOf(error)}`}`,
      )
    }
  }
  return bad > 0 ? exitCodes.mistake : exitCodes.done
}

async function print(file: string, judgement: Judgement, options: ReplayOptions & { readonly ms: number }, io: Io): Promise<void> {
  const { timeline, attribution } = judgement
  const zone = options.zone ?? readerZone(io.env)
  if (options.chart !== undefined) {
    await writeFiles(new Map([[options.chart, await drawChart(judgement, zone, chartForm(options.chart))]]), io.signal)
    io.stderr.write(`chart: ${options.chart}\n`)
  }
  if (options.json === true) {
    io.stdout.write(`${verdictJson(attribution, timeline, { bundle: file, ...(options.timing === true ? { ms: options.ms } : {}) })}\n`)
    return
  }
  io.stdout.write(
    renderVerdict(attribution, timeline, { zone, width: widthOf(io), color: wantsColor(io), verbose: options.verbose === true }),
  )
  if (options.timing === true) io.stdout.write(`judged in ${options.ms.toFixed(1)} ms\n`)
}
