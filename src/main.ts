#!/usr/bin/env node
/**
 * The bin. Nothing of this program is imported before the version of Node is known to be new enough: an old one would die of a
 * missing built-in somewhere deep, with a message that helps nobody.
 */
const needed = 24

if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(`headwater needs Node ${needed} or newer; this is ${process.version} (${process.execPath}).\n`)
  process.exit(1)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // Whoever presses Ctrl-C twice does not want to wait for anything.
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  })
}
// `headwater replay … | head` closes our output before we are done with it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`headwater: cannot write to standard output: ${error.message}\n`)
  process.exit(1)
})
// With nobody left to tell, nothing is told.
process.stderr.on('error', () => {})

const { run } = await import('./cli/program.ts')
const { stdout, stderr, stdin, env } = process
const code = await run(process.argv.slice(2), { stdout, stderr, stdin, env, signal: stop.signal })
// A source that was cut off may still hold a socket; the verdict is out, so nobody waits for it.
// What could not be written is told by the listener above, which comes after this.
stdout.write('', (error) => {
  if (error === null || error === undefined) process.exit(code)
})
