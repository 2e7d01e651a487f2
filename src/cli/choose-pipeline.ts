/** From a configuration file and a name to the pipeline that is meant, or to everything that stands in the way. */
import type { Config } from '../config/config.ts'
import { defaultConfigFile, loadConfig } from '../config/load-config.ts'
import type { Mistake } from '../config/mistake.ts'
import { mistakeLine } from '../config/mistake.ts'
import { HeadwaterError } from '../errors.ts'
import { didYouMean } from '../incident/did-you-mean.ts'
import type { Pipeline } from '../incident/pipeline.ts'
import type { Io } from './io.ts'
import { complain } from './io.ts'

/** The file that --config names, else HEADWATER_CONFIG, else headwater.yaml here. */
export function configFile(named: string | undefined, io: Io): string {
  return named ?? (io.env.HEADWATER_CONFIG || defaultConfigFile)
}

/**
 * A mistake in another pipeline is told and does not stop the one that is asked about.
 * @throws HeadwaterError config_unreadable, config_mistaken, usage
 */
export async function choosePipeline(
  name: string,
  file: string,
  io: Io,
): Promise<{ readonly pipeline: Pipeline; readonly config: Config }> {
  const { config, mistakes } = await loadConfig(file, io.env)
  const blocking = mistakes.filter((mistake) => concerns(mistake, name))
  if (blocking.length > 0) throw new HeadwaterError('config_mistaken', blocking.map((m) => mistakeLine(file, m)).join('\n'))
  const pipeline = config.pipelines.find((one) => one.name === name)
  if (pipeline === undefined) {
    const names = config.pipelines.map((one) => one.name)
    const meant = didYouMean(name, names)
    const hint = meant === null ? `it has: ${names.join(', ') || 'none'}` : `did you mean ${meant}?`
    throw new HeadwaterError('usage', `${file} has no pipeline "${name}"; ${hint}`)
  }
  const others = mistakes.length
  if (others > 0) complain(io, `${others} mistake${others === 1 ? '' : 's'} in other parts of ${file} (headwater config check ${file})`)
  return { pipeline, config }
}

/** Sections that a look at a pipeline does without: on the terminal nobody has Slack's secrets in the environment. */
const notNeeded: readonly unknown[] = ['slack', 'webhooks', 'alerts', 'redis', 'ledger']

function concerns(mistake: Mistake, name: string): boolean {
  if (notNeeded.includes(mistake.path[0])) return false
  return mistake.path[0] !== 'pipelines' || mistake.path.length < 2 || mistake.path[1] === name
}
