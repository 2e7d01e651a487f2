// Kafka and Spark from packages alone: Maven copies the jars into a cache folder that all rigs of this repository
// share; the app is compiled against them. A folder is complete only under its final name, so a stop half way is safe.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const APP = join(import.meta.dirname, 'app')
const SOURCES = ['Control', 'Work', 'SlowFs', 'StreamApp'].map((name) => join(APP, 'rig', `${name}.java`))
const pomOf: Readonly<Record<SparkLine, string>> = {
  '4.1': join(APP, 'pom-spark.xml'),
  // a query of 4.1.1 that was cut off inside a batch ends once more after its restart (SPARK-55271): whoever restarts one needs 4.2
  '4.2': join(APP, 'pom-spark-4.2.xml'),
}

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'

/** A line of Spark's releases that the rig can run; the pom of each names the exact versions. */
export type SparkLine = '4.1' | '4.2'

export interface Jars {
  /** A folder that serves as SPARK_HOME: jars/ and RELEASE. */
  readonly sparkHome: string
  /** Folder of Kafka's jars. */
  readonly kafka: string
  /** The compiled app and slow file system. */
  readonly app: string
  /** 4.1 when absent. */
  readonly line?: SparkLine
}

const fingerprint = (...files: string[]): string => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

async function build(folder: string, make: (partial: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  const partial = `${folder}.partial-${process.pid}`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  await make(partial)
  if (existsSync(folder)) rmSync(partial, { recursive: true, force: true })
  else renameSync(partial, folder)
  return folder
}

async function copyDependencies(pom: string, to: string): Promise<void> {
  try {
    await run('mvn', ['-q', '-B', '-f', pom, COPY, '-DincludeScope=runtime', `-DoutputDirectory=${to}`])
  } catch (error) {
    throw new Error(`Maven could not bring the jars of ${pom}: ${(error as { stdout?: string }).stdout ?? error}`)
  }
}

/** Kafka's jars: about 44 MB, 3–6 s once. */
export async function kafkaJars(cache: string): Promise<string> {
  const pom = join(APP, 'pom-kafka.xml')
  return await build(join(cache, `kafka-${fingerprint(pom)}`), (to) => copyDependencies(pom, to))
}

/** Spark's, the connector's and Delta's jars as a SPARK_HOME: about 310 MB, 9–12 s once. */
export async function sparkHome(cache: string, line: SparkLine): Promise<string> {
  const pom = pomOf[line]
  return await build(join(cache, `spark-${fingerprint(pom)}`), async (to) => {
    await copyDependencies(pom, join(to, 'jars'))
    // without it Spark's launcher takes the folder for a source tree and looks for build directories
    writeFileSync(join(to, 'RELEASE'), 'jars by Maven\n')
  })
}

/** The app's jar, compiled against `home`; about 2 s once per change of a source. */
export async function appJar(cache: string, home: string, line: SparkLine): Promise<string> {
  const folder = await build(join(cache, `app-${fingerprint(pomOf[line], ...SOURCES)}`), async (to) => {
    const classes = join(to, 'classes')
    await run('javac', ['-nowarn', '-cp', join(home, 'jars', '*'), '-d', classes, ...SOURCES])
    await run('jar', ['--create', '--file', join(to, 'rig-app.jar'), '-C', classes, '.'])
  })
  return join(folder, 'rig-app.jar')
}
