// How a JVM of Spark is started from a folder of jars, without a distribution and its scripts.
import { join } from 'node:path'

const OPENED = [
  'java.base/java.lang',
  'java.base/java.lang.invoke',
  'java.base/java.lang.reflect',
  'java.base/java.io',
  'java.base/java.net',
  'java.base/java.nio',
  'java.base/java.util',
  'java.base/java.util.concurrent',
  'java.base/java.util.concurrent.atomic',
  'java.base/jdk.internal.ref',
  'java.base/sun.nio.ch',
  'java.base/sun.nio.cs',
  'java.base/sun.security.action',
  'java.base/sun.util.calendar',
  'java.security.jgss/sun.security.krb5',
]

/** Arguments of `java` up to the main class. `heap` as for -Xmx; `more` are further jars of the class path. */
export function sparkJvm(sparkHome: string, heap: string, more: readonly string[] = []): string[] {
  return [
    `-Xmx${heap}`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xss512k',
    '-XX:+IgnoreUnrecognizedVMOptions',
    ...OPENED.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
    '-Djdk.reflect.useDirectMethodHandle=false',
    '-Dio.netty.tryReflectionSetAccessible=true',
    '-cp',
    [...more, join(sparkHome, 'jars', '*')].join(':'),
  ]
}

/** Without SPARK_SCALA_VERSION the worker looks for build directories and every executor fails to start. */
export function sparkEnvironment(sparkHome: string, host: string): NodeJS.ProcessEnv {
  return { SPARK_HOME: sparkHome, SPARK_SCALA_VERSION: '2.13', SPARK_LOCAL_IP: host, SPARK_NO_DAEMONIZE: '1' }
}
