/** The rules of the house hold for the tree as it stands, and each of them can be broken. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Files } from './architecture/house-rules.ts'
import { brokenRules } from './architecture/house-rules.ts'

const root = join(import.meta.dirname, '..')

function tree(): Files {
  const files: Record<string, string> = {}
  for (const folder of ['src', 'test']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.ts') && !name.startsWith('fixtures')) files[`${folder}/${name}`] = readFileSync(join(root, folder, name), 'utf8')
    }
  }
  return files
}

test('the house stands', () => {
  expect(brokenRules(tree())).toEqual([])
})

test('the top level holds what the house names and nothing else', () => {
  const known = ['src', 'test', 'manifests', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'README.md']
  const tools = ['package-lock.json', 'biome.json', '.oxlintrc.json', 'knip.json', '.ci', '.gitignore', 'LICENSE']
  const ignored = [
    '.git',
    ...readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .map((line) => line.replaceAll('/', '')),
  ]
  const there = readdirSync(root).filter((name) => !ignored.includes(name) && !name.endsWith('.log'))
  expect(there.filter((name) => ![...known, ...tools].includes(name))).toEqual([])
})

describe('every rule can be broken', () => {
  const a = 'import { a } from'
  test.each<[string, Files, string]>([
    ['a room knows a later one', { 'src/timeline/x.ts': `${a} '../attribution/y.ts'` }, 'timeline comes before attribution'],
    ['a pure room knows an edge', { 'src/workflow/x.ts': `${a} '../sources/y.ts'` }, 'pure room workflow may not know sources'],
    ['a pure room knows the configuration', { 'src/report/x.ts': `${a} '../config/y.ts'` }, 'pure room report may not know config'],
    ['edges know each other', { 'src/slack/x.ts': `${a} '../store/y.ts'` }, 'edge rooms never know each other: slack, store'],
    ['an edge knows the app', { 'src/demo/x.ts': `${a} '../app.ts'` }, 'demo may not know app.ts'],
    ['the app knows the cli', { 'src/app.ts': `${a} './cli/x.ts'` }, 'app.ts may not know cli'],
    ['a type counts too', { 'src/incident/x.ts': "import type { A } from '../report/y.ts'" }, 'incident comes before report'],
    ['so does a type inside a type', { 'src/incident/x.ts': "export type A = import('../report/y.ts').A" }, 'incident comes before report'],
    ['so does a re-export', { 'src/incident/x.ts': "export * from '../report/y.ts'" }, 'incident comes before report'],
    ['so does a late import', { 'src/incident/x.ts': "export const a = () => import('../report/y.ts')" }, 'incident comes before report'],
    ['a package in the wrong room', { 'src/cli/x.ts': `${a} 'undici'` }, 'package undici does not belong in cli'],
    [
      'a package by require',
      { 'src/cli/x.ts': "createRequire(import.meta.url)('kafkajs/src/x')" },
      'package kafkajs/src/x does not belong in cli',
    ],
    ['a builtin in a pure room', { 'src/timeline/x.ts': `${a} 'node:fs'` }, 'a pure room may not import node:fs'],
    ['chance by import', { 'src/timeline/x.ts': "import { randomUUID } from 'node:crypto'" }, 'may not draw randomUUID'],
    ['the clock', { 'src/timeline/x.ts': 'export const now = () => Date.now()' }, 'may not touch Date.now'],
    ['the clock as a date', { 'src/timeline/x.ts': 'export const now = () => new Date()' }, 'Date() without a time'],
    ['a timer', { 'src/workflow/x.ts': 'setTimeout(() => {}, 1)' }, 'may not touch setTimeout()'],
    ['a hidden timer', { 'src/workflow/x.ts': 'export const s = AbortSignal.timeout(1)' }, 'may not touch AbortSignal.timeout'],
    ['the process', { 'src/report/x.ts': 'export const zone = process.env' }, 'may not touch process.env'],
    ['the zone of the machine', { 'src/report/x.ts': 'export const h = new Date(0).getHours()' }, '.getHours() depends on'],
    ['the language of the machine', { 'src/report/x.ts': "export const c = 'a'.localeCompare('b')" }, '.localeCompare() depends on'],
    ['a local time scale', { 'src/report/x.ts': "import { scaleTime } from 'd3-scale'" }, 'scaleTime uses the machine'],
    ['an inline type', { 'src/cli/x.ts': "import { type A } from './y.ts'" }, 'write "import type"'],
    ['an import without its ending', { 'src/cli/x.ts': `${a} './y'` }, 'with its .ts ending'],
    ['an import from the tests', { 'src/cli/x.ts': `${a} '../../test/y.ts'` }, 'leaves src'],
    [
      'a stand-in that knows what is tried on it',
      { 'src/demo/slack/x.ts': `${a} '../../report/y.ts'` },
      'the stand-in may not know src/report',
    ],
    ['a folder that is no room', { 'src/core/x.ts': '' }, '"core" is no room of this house'],
    ['a name that says nothing', { 'src/cli/string-utils.ts': '' }, 'name it for the noun'],
    ['a folder that says nothing', { 'test/helpers/x.ts': '' }, 'name it for the noun'],
    ['a camel', { 'src/cli/diagnoseAll.ts': '' }, 'kebab-case'],
    ['an error of one room', { 'src/cli/x.ts': 'export class Odd extends Error {}' }, 'only errors.ts extends Error'],
    [
      'a cause that no list names',
      { 'src/attribution/causes/hot.ts': '', 'src/attribution/causes/index.ts': '' },
      'not in src/attribution/causes/index.ts',
    ],
    [
      'a method of the stand-in that no list names',
      { 'src/demo/slack/methods/x.ts': '', 'src/demo/slack/methods/index.ts': '' },
      'not in src/demo/slack/methods/index.ts',
    ],
    [
      'a source that no list names',
      { 'src/sources/x.ts': 'export const x: Source = {}', 'src/sources/index.ts': '' },
      'not in src/sources/index.ts',
    ],
  ])('%s', (_, files, says) => {
    expect(brokenRules(files).join('\n')).toContain(says)
  })

  test('what is allowed is not called broken', () => {
    const house: Files = {
      'src/report/x.ts':
        "import { createHash } from 'node:crypto'\nimport { utcFormat } from 'd3-time-format'\nexport const at = new Date(0).getUTCHours()",
      'src/sources/kafka.ts':
        "import { a } from 'kafkajs'\nimport type { Source } from '../workflow/ports.ts'\nexport const kafka: Source = a",
      'src/sources/http.ts': "import { request } from 'undici'\nimport { HeadwaterError } from '../errors.ts'",
      'src/sources/index.ts': "import { kafka } from './kafka.ts'",
      'src/app.ts': "import { kafka } from './sources/index.ts'\nimport { load } from './config/load.ts'",
      'src/timeline/y.ts': '// Date.now() in a comment, and process.env in a string\nexport const s = "process.env"',
    }
    expect(brokenRules(house)).toEqual([])
  })
})
