/**
 * Starts the program from its sources. A Node that cannot load .ts dies of the ending alone, before main.ts can say which version
 * it needs; this file any Node can read.
 */
import { readFileSync } from 'node:fs'

if (process.features.typescript) await import('./main.ts')
else {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stderr.write(
    `headwater needs Node ${engines.node}; this is ${process.version} (${process.execPath}).\n` +
      'npm ci brings one, which npm run uses: run it again, with install scripts allowed.\n',
  )
  process.exitCode = 1
}
