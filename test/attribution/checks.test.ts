/** Commands that people copy at night from a terminal, made of names that others wrote: they read, and lead where a number is. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { Check } from '../../src/attribution/attribution.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import { contentOf, newestIn, option, timesOf } from '../../src/attribution/checks/shell.ts'
import { gatherFacts } from '../../src/attribution/facts.ts'
import type { Evidence, LookHere } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { incidents } from '../build/incidents.ts'
import { evidenceOf } from '../build/pipeline.ts'

const at = (evidence: Evidence, look: LookHere): Evidence => ({ ...evidence, pipeline: { ...evidence.pipeline, look } })
const checksOf = (evidence: Evidence): Check[] => {
  const facts = gatherFacts(buildTimeline(evidence))
  return causes.flatMap((cause) => cause.weigh(facts).evidence).flatMap(({ check }) => (check === undefined ? [] : [check]))
}
const played = Object.values(incidents).map((make) => make())
const allAt = (look: LookHere): Check[] => played.flatMap((evidence) => checksOf(at(evidence, look)))
const commandsAt = (look: LookHere): string[] => [...new Set(allAt(look).map(({ command }) => command))]

/** As a real shell reads each of them up to its pipe. */
function wordsOf(commands: readonly string[]): string[][] {
  const upToPipe = commands.map((command) => command.replace(/ \| (head -n \d+|grep (-E )?\S+)$/, ''))
  const script = upToPipe.map((command) => `printf '%s\\0' ${command}; printf '\\1\\0'`).join('\n')
  const all = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\u0001\u0000')
  return all.slice(0, -1).map((one) => one.split('\0').slice(0, -1))
}

/** Programs that only read, and of those that can do more the part that reads. */
function reads([program, ...rest]: readonly string[]): boolean {
  switch (program) {
    case 'cat':
    case 'ls':
    case 'kafka-get-offsets.sh':
      return true
    case 'kafka-topics.sh':
    case 'kafka-consumer-groups.sh':
      return rest.includes('--describe') && !rest.some((word) => /^--(delete|alter|create|reset|execute)/.test(word))
    case 'hadoop':
      return rest[0] === 'fs' && ['-ls', '-stat', '-cat'].includes(rest[1] ?? '')
    case 'curl':
      return rest.length === 2 && rest[0] === '-s' && /^https?:\/\/[^?]+\/api\/v1\/applications\/[^/]+\/[^?]+/.test(rest[1] ?? '')
    default:
      return false
  }
}

describe('every command of every cause', () => {
  const looks: [string, LookHere][] = [
    ['nowhere', {}],
    [
      'mounted',
      { bootstrap: 'k1:9092,k2:9092', spark: 'http://driver:4040', app: 'app-1', checkpoint: '/data/cp', table: '/data/orders_bronze' },
    ],
    ['remote', { bootstrap: 'k:9092', spark: 'https://proxy/driver/', app: 'app-1', checkpoint: 's3a://b/cp', table: 'dbfs:/orders' }],
    [
      'hostile',
      {
        bootstrap: '--delete',
        spark: '-o/etc/passwd',
        app: '../../StreamingQuery/statistics?id=1',
        checkpoint: "-rf '; rm -rf x; '",
        table: '$(reboot)\n`id`',
      },
    ],
    ['hostile too', { spark: 'http://driver:4040/StreamingQuery', app: "a' b", checkpoint: 's3a://b/$(id)', table: '--x' }],
  ]

  test.each(looks)('reads, and reads only: %s', (_, look) => {
    const commands = commandsAt(look)
    expect(commands.length).toBeGreaterThan(10)
    for (const words of wordsOf(commands)) {
      expect(reads(words), words.join(' ')).toBe(true)
      expect(words).not.toContain('--delete')
      expect(words).not.toContain('-rf')
    }
    // Opening that page changes the driver's state (rig-spark.md T1).
    expect(commands.join('\n')).not.toMatch(/\/StreamingQuery/)
  })

  test('a topic of any name stays one word', () => {
    for (const topic of ['--delete', "it's; rm -rf /", '$(reboot)', 'a b']) {
      const evidence = JSON.parse(JSON.stringify((incidents['a surge'] as () => Evidence)()).replaceAll('"orders"', JSON.stringify(topic)))
      const kafka = checksOf(evidence as Evidence).map(({ command }) => command)
      const meant = wordsOf(kafka.filter((command) => command.startsWith('kafka-')))
      expect(meant.length).toBeGreaterThan(0)
      for (const words of meant) expect(words.includes(topic) !== words.includes(`--topic=${topic}`)).toBe(true)
    }
  })
})

describe('what is expected can be compared with what is printed', () => {
  const look = { bootstrap: 'kafka:9092', spark: 'http://driver:4040', app: 'app-1', checkpoint: '/cp', table: '/orders' }
  const expects = (incident: string, id: string): Check | undefined => {
    const facts = gatherFacts(buildTimeline(at((incidents[incident] as () => Evidence)(), look)))
    return causes.flatMap((cause) => cause.weigh(facts).evidence).find((one) => one.id === id)?.check
  }

  it('a hot partition: its log end and how fast it rises', () => {
    // 50 records/s up to 45 s ago, 500 since.
    expect(expects('a hot partition', 'place.concentrated')).toEqual({
      command: 'kafka-get-offsets.sh --bootstrap-server kafka:9092 --topic orders --partitions 3 --time latest',
      expect: 'at least 200,300, about 5,000 more 10 s later',
    })
  })

  it('a stopped producer: the same number twice', () => {
    expect(expects('a stopped producer', 'flow.stopped')?.expect).toMatch(/^offsets that add up to at least [\d,]+, the same 10 s later$/)
  })

  it('a slow batch: when its two files were written', () => {
    const { command, expect: says } = expects('a slow commit', 'batch.within_limit') as Check
    const [, id] = /offsets\/(\d+)/.exec(command) ?? []
    expect(command).toBe(`ls -l --time-style=full-iso /cp/offsets/${id} /cp/commits/${id}`)
    expect(says).toMatch(new RegExp(`^offsets/${id} written at \\{at [\\d.]+\\}, commits/${id} about [\\d.]+ s later$`))
  })

  it('a batch that runs: that its second file is missing', () => {
    expect(expects('a commit that has not ended', 'batch.within_limit')?.expect).toMatch(
      /no commits\/\d+ as long as it runs \(it ran for \d+ s\)/,
    )
  })

  it("a slow commit: the table's own file", () => {
    expect(expects('a slow commit', 'sink.commit')).toMatchObject({
      command: expect.stringMatching(/^ls -l --time-style=full-iso \/orders\/_delta_log\/0{17}\d{3}\.json$/),
      expect: expect.stringMatching(/^written at about \{at [\d.]+\}, 4\.4 s after the last write job of batch \d+$/),
    })
  })

  it('slow records: the two numbers whose quotient a record costs', () => {
    expect(expects('slow records', 'task.cost_unchanged')).toMatchObject({
      command: expect.stringMatching(
        /^curl -s 'http:\/\/driver:4040\/api\/v1\/applications\/app-1\/stages\/\d+\?details=false' \| grep -E/,
      ),
      expect: expect.stringMatching(/^"executorRunTime" \d+ ms, "executorCpuTime" [\d,]+ ms \(it prints nanoseconds\), "inputRecords" \d+/),
    })
  })

  it('a silent executor: that it finishes nothing', () => {
    expect(expects('a standing executor', 'executor.stands')).toEqual({
      command: `curl -s http://driver:4040/api/v1/applications/app-1/allexecutors | grep -E '"id"|activeTasks|completedTasks'`,
      expect: '"completedTasks" of executor 1 the same 10 s later, its "activeTasks" above 0',
    })
  })

  it('DStreams have no checkpoint of offsets: their own list of batches', () => {
    expect(checksOf((incidents['slow records of a DStreams reader'] as () => Evidence)()).map(({ command }) => command)).toContain(
      "curl -s http://DRIVER:4040/api/v1/applications/APP/streaming/batches | grep -E 'batchId|processingTime|inputSize'",
    )
  })
})

it('where no command can show a number the reason is said', () => {
  const facts = gatherFacts(buildTimeline((incidents['calm batches of another reader'] as () => Evidence)()))
  const said = causes.flatMap((cause) => cause.weigh(facts).evidence).find(({ id }) => id === 'batch.keeps_up')
  expect([said?.check, said?.noCheck]).toEqual([undefined, 'this kind of reader keeps no log of its batches'])
})

describe('a cluster with a login', () => {
  const evidence = (incidents['a surge'] as () => Evidence)()
  const kafka = (look: LookHere) => checksOf(at(evidence, look)).filter(({ command }) => command.startsWith('kafka-'))

  it('names the file that Kafka must be given, and what stands in it', () => {
    const checks = kafka({ bootstrap: 'k:9093', security_protocol: 'SASL_SSL', sasl_mechanism: 'SCRAM-SHA-512' })
    expect(checks.length).toBeGreaterThan(0)
    for (const { command, needs } of checks) {
      expect(command).toContain('--bootstrap-server k:9093 --command-config client.properties --topic')
      expect(needs).toBe('client.properties: a file of yours with security.protocol=SASL_SSL, sasl.mechanism=SCRAM-SHA-512 and your login')
    }
    expect(kafka({ bootstrap: 'k:9093', security_protocol: 'SSL' })[0]?.needs).toBe(
      'client.properties: a file of yours with security.protocol=SSL',
    )
  })

  it('needs none where there is no login', () => {
    for (const { command, needs } of kafka({ bootstrap: 'k:9092' }))
      expect([command.includes('command-config'), needs]).toEqual([false, undefined])
  })
})

it('no command repeats a login that an older bundle still holds', () => {
  const evidence = evidenceOf({ commitS: (t) => (t < 3555 ? 0.4 : 4.4) })
  const look = { bootstrap: 'kafka:9092', spark: 'http://u:s3cret@driver:4040', app: 'app-1', table: 's3a://k:s3cret@bucket/table' }
  const verdict = JSON.stringify(attribute(buildTimeline(at(evidence, look))))
  expect(verdict).toContain('s3a://bucket/table/_delta_log')
  expect(verdict).not.toContain('s3cret')
})

it('a value that looks like an option stays with its name', () => {
  expect(option('--topic', 'orders')).toBe('--topic orders')
  expect(option('--topic', '--delete')).toBe('--topic=--delete')
})

it('files are read by the means of their store', () => {
  expect(timesOf('/cp/offsets/7')).toBe('ls -l --time-style=full-iso /cp/offsets/7')
  expect(timesOf('abfss://c@a/cp/offsets/7')).toBe("hadoop fs -stat '%y %n' abfss://c@a/cp/offsets/7")
  expect([newestIn('/t'), newestIn('s3a://b/t')]).toEqual(['ls -lt /t | head -n 4', 'hadoop fs -ls -t s3a://b/t | head -n 4'])
  expect([contentOf('/cp/1', '/cp/2'), contentOf('dbfs:/cp/1')]).toEqual(['cat /cp/1 /cp/2', 'hadoop fs -cat dbfs:/cp/1'])
  expect(contentOf('-x')).toBe('cat ./-x')
})
