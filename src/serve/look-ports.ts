/** How a running service looks at a pipeline, and draws what it found. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { diagnoseLive } from '../app.ts'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Pipeline } from '../incident/pipeline.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../workflow/clock.ts'
import type { Diagnosis } from '../workflow/diagnose.ts'
import type { Source } from '../workflow/ports.ts'
import type { WorkPorts } from '../workflow/work.ts'
import type { Drawer } from './drawer.ts'

/** For one look, as on the terminal: a thorough one waits for a heartbeat (10 s). */
const deadlineMs = { usual: 10_000, thorough: 25_000 } as const

export interface LookOptions {
  readonly pipelines: readonly Pipeline[]
  /** undefined = the real ones. */
  readonly sources: readonly Source[] | undefined
  readonly clock: Clock
  readonly drawer: Pick<Drawer, 'draw' | 'drawCheck'>
}

/** @param log of the job: what goes wrong is told there, and costs no more than it has to */
export type LookPorts = (log: Log) => Pick<WorkPorts, 'examine' | 'draw' | 'drawCheck'>

const zipped = promisify(gzip)

export function lookPorts({ pipelines, sources, clock, drawer }: LookOptions): LookPorts {
  const byName = new Map(pipelines.map((one) => [one.name, one]))

  async function diagnosed(name: string, sinceMs: number | null, thorough: boolean, signal: AbortSignal): Promise<Diagnosis> {
    const pipeline = byName.get(name)
    if (pipeline === undefined) throw new HeadwaterError('config_mistaken', `the configuration has no pipeline ${name}`)
    const limit = thorough ? deadlineMs.thorough : deadlineMs.usual
    const order = { pipeline, sinceMs, deadlineMs: limit, thorough, signal, progress: () => {}, clock }
    return await diagnoseLive({ ...order, ...(sources === undefined ? {} : { sources }) })
  }

  return (log) => ({
    /** Where nothing could be read, the verdict says so, and why: that is an answer, and asking again at once would give the same. */
    async examine({ pipeline, sinceMs, thorough, signal }) {
      try {
        const diagnosis = await diagnosed(pipeline, sinceMs, thorough === true, signal)
        tellLook(diagnosis, pipeline, log)
        const { evidence, timeline, attribution, bundle } = diagnosis
        return { evidence, timeline, attribution, bundle: await zipped(bundle) }
      } catch (error) {
        if (error instanceof HeadwaterError && error.retryable) throw error
        log.error('a pipeline could not be looked at', { pipeline, err: error })
        throw error instanceof HeadwaterError ? error : new HeadwaterError('internal', messageOf(error), { cause: error })
      }
    },
    async draw(judged, size) {
      try {
        return await drawer.draw(judged, size)
      } catch (error) {
        log.error('a verdict goes out without its picture', { err: error })
        return null
      }
    },
    async drawCheck(story) {
      try {
        return await drawer.drawCheck(story)
      } catch (error) {
        log.error('what became of a change goes out without its picture', { err: error })
        return null
      }
    },
  })
}

function tellLook({ attribution, looks, sawAnything }: Diagnosis, pipeline: string, log: Log): void {
  const seconds = Object.fromEntries(looks.filter(({ turn }) => turn === 1).map((one) => [one.findings.source, one.seconds]))
  const { outcome, cause, gaps } = attribution
  log.info('a pipeline was looked at', { pipeline, outcome, cause, seconds, gaps: gaps.length })
  if (!sawAnything)
    log.warn('nothing could be read of a pipeline', { pipeline, gaps: gaps.map(({ source, reason }) => `${source}: ${reason}`) })
}
