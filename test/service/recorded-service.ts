/**
 * `headwater serve` as it is, but for its sources: they tell kept drills. Arguments: those of the command; in the environment: how long the
 * two looks take, ms.
 */
import { parseArgs } from 'node:util'
import { serveCommand } from '../../src/cli/serve.ts'
import type { Role } from '../../src/serve.ts'
import { drillSources } from '../fakes/drill-sources.ts'

const { values } = parseArgs({ options: { config: { type: 'string' }, role: { type: 'string' }, part: { type: 'string' } } })
const { stdout, stderr, stdin, env } = process
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const looks = { first: Number(env.FIRST_LOOK_MS ?? 0), second: Number(env.SECOND_LOOK_MS ?? 0) }
const options = { config: values.config ?? '', role: values.role as Role, ...(values.part === undefined ? {} : { part: values.part }) }
process.exit(await serveCommand(options, { stdout, stderr, stdin, env, signal: stop.signal }, drillSources(looks)))
