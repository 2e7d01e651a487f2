/** The command line: words and options to commands, errors to messages and exit codes. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Listen } from '../config/config.ts'
import { listen } from '../config/plain-schema.ts'
import { ianaZone } from '../config/reader-zone.ts'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { DemoCommandOptions } from './demo.ts'
import type { DemoTerminalOptions } from './demo-terminal.ts'
import type { DiagnoseOptions } from './diagnose.ts'
import type { Io } from './io.ts'
import { complain, exitCodes } from './io.ts'
import { addLedgerCommands } from './ledger-words.ts'
import type { ReplayOptions } from './replay.ts'
import type { ServeCommandOptions } from './serve.ts'

const exits = `
Exit codes:
  0  a verdict was given (also "inconclusive"); the ledger holds; the service was asked to stop
  1  a mistake in the command line, the configuration, a bundle, a ledger file or an output file
  2  nothing at all could be read of the pipeline, or Redis is away
  3  the ledger is broken
  130  interrupted`

/** @param args without node and script. @returns the exit code; never throws */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code: number = exitCodes.done
  const program = commands(io, (got) => {
    code = got
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.mistake
    if (!(error instanceof HeadwaterError)) {
      complain(
        io,
        `an error of this program, not of your pipeline: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`,
      )
      return exitCodes.mistake
    }
    if (error.code === 'interrupted') {
      complain(io, 'interrupted; nothing was left behind')
      return exitCodes.interrupted
    }
    complain(io, error.message)
    return error.code === 'store_unavailable' ? exitCodes.nothingSeen : exitCodes.mistake
  }
}

function commands(io: Io, done: (code: number) => void): Command {
  const program = new Command('headwater')
    .description('Names the initiating constraint of a Kafka + Spark + Delta incident, or says honestly that it cannot tell.')
    .version(version())
    .addHelpText('after', exits)
    .showHelpAfterError('(headwater help shows how)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })

  program
    .command('diagnose')
    .argument('<pipeline>', 'its name in the configuration')
    .description('look at a running pipeline and name where pressure began')
    .option('--config <file>', 'configuration (default: HEADWATER_CONFIG, else headwater.yaml here)')
    .option('--json', 'the verdict as one line of JSON')
    .option('--chart <file>', 'write the story of the incident as .png (or .svg)')
    .option('--bundle <file>', 'write all evidence, frozen, as .json or .json.gz')
    .option('--thorough', 'wait for what only a heartbeat (10 s) shows')
    .option('--verbose', 'more of the verdict; on stderr what was asked, of whom, how long')
    .option('--deadline <seconds>', 'for everything together (default: 10, thorough 25)', positive)
    .option('--zone <zone>', 'IANA zone of times of day (default: that of the configuration, else TZ, else UTC)', zone)
    .action(async (name: string, options: DiagnoseOptions) => {
      done(await (await import('./diagnose.ts')).diagnoseCommand(name, options, io))
    })

  program
    .command('replay')
    .argument('<files...>', 'bundles, plain or gzip; - is standard input')
    .description('judge bundles again, without looking at anything else')
    .option('--json', 'one line of JSON for each')
    .option('--timing', 'add the milliseconds it took to judge')
    .option('--verbose', 'more of the verdict')
    .option('--chart <file>', 'draw the one bundle as .png (or .svg)')
    .option('--zone <zone>', 'IANA zone of times of day (default: TZ, else UTC)', zone)
    .action(async (files: string[], options: ReplayOptions) => {
      done(await (await import('./replay.ts')).replayCommand(files, options, io))
    })

  program
    .command('serve')
    .description('the service: takes in what Slack and alerts bring, looks, answers in Slack')
    .option('--config <file>', 'configuration (default: HEADWATER_CONFIG, else headwater.yaml here)')
    .addOption(
      new Option('--role <role>', 'app takes in, worker works; any number of each share one Redis')
        .choices(['app', 'worker', 'all'])
        .default('all'),
    )
    .addHelpText('after', '\nHEADWATER_SLACK_API_URL names another Web API than the usual one, e.g. https://slack-gov.com/api/')
    .option('--operations <host:port>', 'health and metrics here instead of where the configuration says', address)
    .addOption(new Option('--part <digest>', 'of the process that started it').hideHelp())
    .action(async (options: ServeCommandOptions) => {
      done(await (await import('./serve.ts')).serveCommand(options, io))
    })

  program
    .command('config')
    .description('the configuration file')
    .command('check')
    .argument('<file>', 'e.g. headwater.yaml')
    .description('every mistake at once, with its place and what would be right')
    .action(async (file: string) => {
      done(await (await import('./config-check.ts')).configCheckCommand(file, io))
    })

  program
    .command('demo')
    .argument('[recording]', 'which recorded incident (default: the first)')
    .description('the whole way of a recorded incident in the browser, without Slack, Kafka and Spark')
    .option('--port <port>', 'of the page (default: any that is free)', port, 0)
    .option('--config <file>', 'whose Redis is used (default: HEADWATER_CONFIG, else headwater.yaml here)')
    .option('--no-redis', 'keep everything in this process, whatever is configured or installed')
    .option('--verbose', 'the log of the service, on stderr')
    .option('--terminal', 'only a verdict and its chart, here')
    .option('--chart <file>', 'with --terminal: where to draw it (default: in the folder for temporary files)')
    .option('--zone <zone>', 'IANA zone of times of day (default: TZ, else that of this machine)', zone)
    .action(async (name: string | undefined, options: DemoCommandOptions & DemoTerminalOptions & { readonly terminal?: boolean }) => {
      if (options.terminal === true) done(await (await import('./demo-terminal.ts')).demoTerminal(name, options, io))
      else done(await (await import('./demo.ts')).demoCommand(name, options, io))
    })
  addLedgerCommands(program, zone, io, done)
  return program
}

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 1 || value > 600) throw new InvalidArgumentError('Write seconds from 1 to 600.')
  return value
}

function address(text: string): Listen {
  const read = listen('127.0.0.1:9464').safeParse(text)
  if (!read.success) throw new InvalidArgumentError(`Please ${read.error.issues[0]!.message}.`)
  return read.data
}

function port(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('Write a port from 1 to 65535, or 0 for any.')
  return value
}

function zone(text: string): string {
  const found = ianaZone(text)
  if (found === null) throw new InvalidArgumentError('Write an IANA time zone, e.g. Europe/Berlin or UTC.')
  return found
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
