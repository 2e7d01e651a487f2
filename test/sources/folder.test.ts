/** The door to a file system: what it answers, and that a file system which hangs costs its own reads only. */
import { spawn, spawnSync } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { Answer, Folder } from '../../src/sources/folder.ts'
import { openFolder } from '../../src/sources/folder.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function made(files: Readonly<Record<string, string>> = {}): { readonly path: string; readonly folder: Folder } {
  const path = mkdtempSync(join(tmpdir(), 'headwater-folder-'))
  folders.push(path)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return { path, folder: openFolder(path)! }
}

/** Whoever opens it for reading waits for a writer. */
function fifos(path: string, ...names: readonly string[]): void {
  expect(spawnSync('mkfifo', [...names.map((name) => join(path, name))]).status).toBe(0)
}

const soon = () => AbortSignal.timeout(5000)
const got = <T>(answer: Answer<T>): T | string => (answer.ok ? answer.value : answer.failure.kind)

describe('what is there', () => {
  test('names, times, a head, a part, and what they cost', async () => {
    const { path, folder } = made({ 'a/7': 'v1\n{}', 'a/8': 'x' })
    utimesSync(join(path, 'a/7'), 1000, 1000.5)
    expect(got(await folder.names('a', soon()))).toEqual(expect.arrayContaining(['7', '8']))
    expect(got(await folder.names('', soon()))).toEqual(['a'])
    expect(got(await folder.modified('a/7', soon()))).toEqual({ name: 'a/7', modifiedMs: 1_000_500, bytes: 5 })
    expect(got(await folder.read('a/7', 5, soon()))).toEqual({ text: 'v1\n{}', modifiedMs: 1_000_500, cut: false })
    expect(got(await folder.read('a/7', 4, soon()))).toEqual({ text: 'v1\n{', modifiedMs: 1_000_500, cut: true })
    expect(String(got(await folder.part('a/7', 1, 2, soon())))).toBe('1\n')
    expect(String(got(await folder.part('a/7', 3, 900, soon())))).toBe('{}')
    expect(folder.traffic()).toEqual({ to: `files ${path}`, requests: 7, bytes: 5 + 4 + 2 + 2 })
  })

  test('a long file arrives whole, whatever is cut where it is handed over', async () => {
    const text = `x${'é'.repeat(600_000)}`
    const { folder } = made({ long: text, empty: '' })
    expect(got(await folder.read('long', 4_000_000, soon()))).toMatchObject({ text, cut: false })
    expect(got(await folder.part('long', 1, 1_200_000, soon()))).toEqual(Buffer.from('é'.repeat(600_000)))
    expect(got(await folder.read('empty', 10, soon()))).toMatchObject({ text: '', cut: false })
    expect(folder.traffic().bytes).toBe(1_200_001 + 1_200_000)
  })

  test('a folder of very many names is one request', async () => {
    const { path, folder } = made()
    const names = Array.from({ length: 5_000 }, (_, i) => `${i}`.padStart(20, '0'))
    for (const name of names) writeFileSync(join(path, name), '')
    const listed = await folder.names('', soon())
    expect(listed.ok && [...listed.value].sort()).toEqual(names)
    expect(folder.traffic().requests).toBe(1)
  })

  test.skipIf(process.platform !== 'linux')('a file that grows is read as long as it was when it was opened', async () => {
    // Such files say they are empty, as one would that grew between the look at its size and the read.
    const folder = openFolder('/proc/self')!
    expect(got(await folder.read('status', 4_000, soon()))).toMatchObject({ text: '', cut: false })
    expect(got(await folder.part('status', 0, 5, soon()))).toEqual(Buffer.from('Name:'))
  })

  test('links are followed, as they always were', async () => {
    const { path, folder } = made({ 'real/7': 'seven' })
    symlinkSync('real', join(path, 'linked'))
    symlinkSync('nowhere', join(path, 'dangling'))
    expect(got(await folder.names('linked', soon()))).toEqual(['7'])
    expect(got(await folder.read('linked/7', 9, soon()))).toMatchObject({ text: 'seven' })
    expect(got(await folder.read('dangling', 9, soon()))).toBe('gone')
    expect(got(await openFolder(join(path, 'linked/'))!.read('7', 9, soon()))).toMatchObject({ text: 'seven' })
  })

  test('what cannot be read says why', async () => {
    const { path, folder } = made({ 'a/7': '' })
    expect(got(await folder.names('b', soon()))).toBe('gone')
    expect(await folder.names('a/7', soon())).toEqual({
      ok: false,
      failure: { kind: 'odd', why: 'it is a file where a folder is expected' },
    })
    expect(await folder.read('a', 9, soon())).toEqual({
      ok: false,
      failure: { kind: 'odd', why: 'it is a folder where a file is expected' },
    })
    symlinkSync('loop', join(path, 'loop'))
    expect(await folder.modified('loop', soon())).toEqual({ ok: false, failure: { kind: 'odd', why: 'ELOOP' } })
    expect(folder.traffic()).toMatchObject({ requests: 4, bytes: 0 })
  })

  test.skipIf(process.getuid?.() === 0)('what may not be read', async () => {
    const { path, folder } = made({ secret: 'x' })
    chmodSync(join(path, 'secret'), 0)
    expect(got(await folder.read('secret', 9, soon()))).toBe('forbidden')
  })

  test('a path from where we stand', async () => {
    const folder = openFolder('test/fixtures/checkpoint/kafka-to-delta')!
    expect(got(await folder.read('metadata', 6, soon()))).toMatchObject({ text: '{"id":' })
  })
})

describe('a file system that hangs', () => {
  const six = ['1', '2', '3', '4', '5', '6']

  test('holds up neither another folder nor names of hosts, and its reads end with their time', async () => {
    const hanging = made()
    fifos(hanging.path, ...six)
    const stop = new AbortController()
    const reads = six.map((name) => hanging.folder.read(name, 100, stop.signal))
    const other = made({ 'offsets/7': 'v1' })
    const begin = performance.now()
    expect(got(await other.folder.read('offsets/7', 100, soon()))).toMatchObject({ text: 'v1' })
    expect(got(await hanging.folder.names('', AbortSignal.timeout(300)))).toBe('stopped')
    await lookup('localhost')
    expect(performance.now() - begin).toBeLessThan(3000)
    const told = performance.now()
    stop.abort()
    const why = { ok: false, failure: { kind: 'stopped', why: 'the time for it ran out' } }
    expect(await Promise.all(reads)).toEqual(six.map(() => why))
    expect(performance.now() - told).toBeLessThan(200)
    expect(hanging.folder.traffic()).toMatchObject({ requests: 7, bytes: 0 })
  })

  test('can be asked again at once', async () => {
    const { path, folder } = made({ '7': 'seven' })
    fifos(path, ...six)
    await Promise.all(six.map((name) => folder.read(name, 100, AbortSignal.timeout(400))))
    expect(got(await folder.read('7', 100, soon()))).toMatchObject({ text: 'seven' })
  })

  test('a process that cannot be started is tried once for each time that the folder is opened', async () => {
    const { path, folder } = made({ '7': 'seven' })
    const node = process.execPath
    process.execPath = '/no/such/node'
    const lost = { ok: false, failure: { kind: 'lost', why: 'the process that reads it could not be started (ENOENT)' } }
    expect(await Promise.all([folder.names('', soon()), folder.modified('7', soon())])).toEqual([lost, lost])
    process.execPath = node
    expect(await folder.read('7', 100, soon())).toEqual(lost)
    expect(got(await openFolder(path)!.read('7', 100, soon()))).toMatchObject({ text: 'seven' })
  })

  test('who still has time keeps what he waits for', async () => {
    const { path, folder } = made()
    fifos(path, 'lost', 'slow')
    const stop = new AbortController()
    const lost = folder.read('lost', 100, stop.signal)
    const slow = folder.part('slow', 0, 0, soon())
    // Opens as soon as the reader does.
    const writer = spawn('sh', ['-c', 'sleep 1; : > slow'], { cwd: path })
    stop.abort()
    expect(got(await lost)).toBe('stopped')
    expect(got(await slow)).toEqual(Buffer.alloc(0))
    writer.kill()
  })
})

/** Runs a module of its own, to its own end. */
function ran(script: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 8000 })
}

test('a program ends although the process that reads cannot', () => {
  const { path } = made()
  fifos(path, 'lost')
  const { status, stdout } = ran(`
    import { ChildProcess } from 'node:child_process'
    import { openFolder } from '${pathToFileURL(join(import.meta.dirname, '../../src/sources/folder.ts')).href}'
    ChildProcess.prototype.kill = function () { console.log(this.pid); return process.kill(this.pid, 'SIGSTOP') }
    await openFolder('${path}').read('lost', 100, AbortSignal.timeout(400))`)
  process.kill(Number(stdout), 'SIGKILL')
  expect(status).toBe(0)
})

test('as it is built: JavaScript beside JavaScript', () => {
  const { path } = made({ 'package.json': '{"type":"module"}', 'data/7': 'seven' })
  for (const name of ['folder', 'folder-process', 'folder-child']) {
    const source = readFileSync(join(import.meta.dirname, `../../src/sources/${name}.ts`), 'utf8')
    writeFileSync(join(path, `${name}.js`), stripTypeScriptTypes(source).replaceAll(".ts'", ".js'"))
  }
  const script = `import { openFolder } from '${pathToFileURL(join(path, 'folder.js')).href}'
    console.log((await openFolder('${path}/data').read('7', 100, AbortSignal.timeout(5000))).value.text)`
  expect(ran(script)).toMatchObject({ status: 0, stdout: 'seven\n', stderr: '' })
})
