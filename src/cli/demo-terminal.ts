/** `headwater demo --terminal`: a recorded incident of a real rig through the whole engine, for someone who has none of the systems. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawChart, replayBundle } from '../app.ts'
import { readerZone } from '../config/reader-zone.ts'
import { recordings } from '../demo/recordings.ts'
import { HeadwaterError } from '../errors.ts'
import { renderVerdict } from '../report/terminal.ts'
import { chartForm } from './chart-form.ts'
import type { Io } from './io.ts'
import { exitCodes, wantsColor, widthOf } from './io.ts'
import { assertWritable, writeFiles } from './output-files.ts'

export interface DemoTerminalOptions {
  readonly chart?: string
  readonly zone?: string
}

/** @param name a recording; the first one where none is named. @returns the exit code. @throws HeadwaterError */
export async function demoTerminal(name: string | undefined, options: DemoTerminalOptions, io: Io): Promise<number> {
  const shipped = recordings()
  const recording = name === undefined ? shipped[0] : shipped.find((one) => one.name === name)
  if (recording === undefined) {
    const names = shipped.map((one) => one.name).join(', ')
    throw new HeadwaterError(
      'usage',
      name === undefined ? 'no recorded incident is shipped with this build' : `no recording "${name}"; there are: ${names}`,
    )
  }
  const zone = options.zone ?? readerZone(io.env)
  const chart = options.chart ?? join(tmpdir(), `headwater-${recording.name}.png`)
  const form = chartForm(chart)
  await assertWritable([chart])
  io.stderr.write(`replaying "${recording.name}", recorded on a real Kafka, Spark and Delta rig; nothing is looked at live\n\n`)
  const judgement = replayBundle(await recording.read())
  await writeFiles(new Map([[chart, await drawChart(judgement, zone, form)]]), io.signal)
  io.stdout.write(
    renderVerdict(judgement.attribution, judgement.timeline, { zone, width: widthOf(io), color: wantsColor(io), verbose: false }),
  )
  io.stderr.write(`\nchart: ${chart}\n`)
  return exitCodes.done
}
