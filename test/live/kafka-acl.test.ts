/**
 * The Kafka sources behind a login: SASL (PLAIN and SCRAM), TLS, and an authorizer that allows nothing until the very lines that our
 * gaps propose are carried out.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Admin } from 'kafkajs'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import type { KafkaAccess } from '../../src/incident/pipeline.ts'
import { kafkaGroup } from '../../src/sources/kafka-group.ts'
import { kafkaPartitions } from '../../src/sources/kafka-partitions.ts'
import { kafkaJars } from '../rig/jars.ts'
import { calmTimer } from '../rig/kafka-timer.ts'
import type { Rig } from '../rig/layout.ts'
import { CACHE, createRig } from '../rig/layout.ts'
import { choosePorts, waitForPort } from '../rig/ports.ts'
import { missingTools } from '../rig/toolchain.ts'
import { pipelineOn, question } from '../sources/kafka-question.ts'

const lacking = missingTools()
const skipped = lacking.length > 0 && process.env.CI !== 'true'
const SMALL = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp']

let rig: Rig
let admin: Admin
let tlsPort = 0
const saslAddress = (): string => `127.0.0.1:${rig.ports.brokers[0]}`

function properties(folder: string): string {
  const [sasl, controller] = [rig.ports.brokers[0], rig.ports.controllers[0]]
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=SASL_PLAINTEXT://127.0.0.1:${sasl},SASL_SSL://127.0.0.1:${tlsPort},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=SASL_PLAINTEXT://127.0.0.1:${sasl},SASL_SSL://127.0.0.1:${tlsPort}
listener.security.protocol.map=SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="admin-secret" user_admin="admin-secret" user_reader="reader-secret";
listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_reader="reader-secret";
listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
ssl.keystore.location=${join(folder, 'keys.p12')}
ssl.keystore.password=key-secret
ssl.keystore.type=PKCS12
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:admin;User:ANONYMOUS
log.dirs=${join(folder, 'data')}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=2
group.initial.rebalance.delay.ms=0
`
}

function access(user: 'reader' | 'scram', password: string): KafkaAccess {
  return {
    brokers: [saslAddress()],
    clientId: 'headwater',
    tls: false,
    sasl: { mechanism: user === 'scram' ? 'scram-sha-256' : 'plain', username: user, password },
  }
}

function look(as: KafkaAccess, group: string | null = null): Promise<Findings> {
  const pipeline = { ...pipelineOn([], 'orders', group), kafka: as }
  return (group === null ? kafkaPartitions : kafkaGroup).collect(question(pipeline))
}

const reader = (): KafkaAccess => access('reader', 'reader-secret')

/** Carries out what a gap's kafka-acls line says, no more. */
async function grant(mend: string | undefined): Promise<void> {
  const [, principal, operation, kind, name] = /--allow-principal (\S+) --operation (\w+) --(topic|group) (\S+)/.exec(mend ?? '') ?? []
  if (principal === undefined || operation === undefined || name === undefined) throw new Error(`no line to carry out: ${mend}`)
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs
  await admin.createAcls({
    acl: [
      {
        resourceType: kind === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
        resourceName: name,
        resourcePatternType: ResourcePatternTypes.LITERAL,
        principal,
        host: '*',
        operation: operation === 'Describe' ? AclOperationTypes.DESCRIBE : AclOperationTypes.DESCRIBE_CONFIGS,
        permissionType: AclPermissionTypes.ALLOW,
      },
    ],
  })
}

describe.skipIf(skipped)(`Kafka sources behind a login${skipped ? ` (skipped: ${lacking.join(', ')} missing)` : ''}`, () => {
  beforeAll(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headwater-kafka-acl-'))
    const ports = await choosePorts(2, 0)
    tlsPort = ports.brokers[1] ?? 0
    rig = createRig(dir, { ...ports, brokers: ports.brokers.slice(0, 1) }, { kafka: await kafkaJars(CACHE), sparkHome: '', app: '' })
    const folder = join(dir, 'kafka')
    mkdirSync(folder, { recursive: true })
    const keytool = (...args: string[]): Buffer =>
      execFileSync('keytool', [...args, '-keystore', join(folder, 'keys.p12'), '-storepass', 'key-secret', '-storetype', 'PKCS12'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    keytool('-genkeypair', '-alias', 'broker', '-keyalg', 'EC', '-dname', 'CN=broker', '-ext', 'SAN=IP:127.0.0.1', '-validity', '2')
    setDefaultCACertificates([...getCACertificates('default'), keytool('-exportcert', '-rfc', '-alias', 'broker').toString()])
    const config = join(folder, 'server.properties')
    writeFileSync(config, properties(folder))
    const classpath = join(rig.jars.kafka, '*')
    execFileSync(
      'java',
      [
        ...SMALL,
        classpath,
        'kafka.tools.StorageTool',
        'format',
        '-t',
        'AAAAAAAAAAAAAAAAAAAAAQ',
        '-c',
        config,
        '--add-scram',
        'SCRAM-SHA-256=[name=scram,password=scram-secret]',
      ],
      { stdio: ['ignore', 'ignore', 'ignore'] },
    )
    rig.processes.start('broker1', 'java', [...SMALL, classpath, 'kafka.Kafka', config])
    await waitForPort('127.0.0.1', rig.ports.brokers[0] ?? 0, 60_000, () => rig.processes.get('broker1') !== undefined).catch(
      (cause: unknown) => {
        throw new Error(
          `${cause instanceof Error ? cause.message : ''}\n${readFileSync(rig.processes.logFile('broker1'), 'utf8').slice(-2_000)}`,
        )
      },
    )
    calmTimer()
    const client = new kafkajs.Kafka({
      brokers: [saslAddress()],
      clientId: 'admin',
      sasl: { mechanism: 'plain', username: 'admin', password: 'admin-secret' },
      logLevel: kafkajs.logLevel.NOTHING,
      retry: { retries: 20, initialRetryTime: 200 },
    })
    admin = client.admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'orders', numPartitions: 2 }], waitForLeaders: true })
    await admin.setOffsets({ groupId: 'billing', topic: 'orders', partitions: [{ partition: 0, offset: '0' }] })
  })

  afterAll(async () => {
    await admin?.disconnect()
    if (rig === undefined) return
    await rig.processes.stop('broker1', 5_000)
    rmSync(rig.dir, { recursive: true, force: true })
  })

  test('a wrong password is told as such, and never shown', async () => {
    for (const user of ['reader', 'scram'] as const) {
      const { gaps } = await look(access(user, 'not-the-secret'))
      expect(gaps[0]?.reason).toContain('does not accept the login')
      expect(gaps[0]?.mend).toContain('kafka.sasl')
      expect(JSON.stringify(gaps)).not.toContain('not-the-secret')
    }
  })

  test('a login where the broker expects one, and TLS where it does not, do not hang', async () => {
    const startMs = performance.now()
    const without = await look({ ...reader(), sasl: null })
    const withTls = await look({ ...reader(), tls: true })
    for (const { gaps } of [without, withTls]) expect(gaps[0]?.reason).toMatch(/closed the connection|did not answer/)
    expect(performance.now() - startMs).toBeLessThan(8_000)
  })

  test('each gap names the right that closes it: topic, configuration, group', async () => {
    const nothing = await look(reader())
    expect(nothing.series).toEqual([])
    expect(nothing.gaps[0]?.reason).toBe('topic orders: no permission to describe the topic')
    await grant(nothing.gaps[0]?.mend)

    await expect.poll(async () => (await look(reader())).series.length, { timeout: 5_000 }).toBeGreaterThan(0)
    const described = await look(reader())
    expect(described.gaps).toHaveLength(1)
    expect(described.gaps[0]?.reason).toContain('configuration of topic orders')
    await grant(described.gaps[0]?.mend)
    await expect.poll(async () => (await look(reader())).gaps, { timeout: 5_000 }).toEqual([])

    const group = await look(reader(), 'billing')
    expect(group.gaps[0]?.reason).toBe('group billing: no permission to describe the group')
    await grant(group.gaps[0]?.mend)
    await expect
      .poll(async () => (await look(reader(), 'billing')).series[0]?.signal, { timeout: 5_000 })
      .toBe('partition.committed_offset')
  })

  test('a certificate of an unknown authority is told as such', async () => {
    const trusted = getCACertificates('default')
    setDefaultCACertificates(getCACertificates('bundled'))
    const { gaps } = await look({ ...reader(), brokers: [`127.0.0.1:${tlsPort}`], tls: true })
    setDefaultCACertificates(trusted)
    expect(gaps[0]?.reason).toContain('is not trusted here')
    expect(gaps[0]?.mend).toContain('NODE_EXTRA_CA_CERTS')
  })

  test('SCRAM and TLS log in', async () => {
    const scram = await look(access('scram', 'scram-secret'))
    expect(scram.gaps[0]?.mend).toContain('--allow-principal User:scram --operation Describe --topic orders')
    const tls = await look({ ...reader(), brokers: [`127.0.0.1:${tlsPort}`], tls: true })
    expect(tls.gaps).toEqual([])
    expect(tls.series.filter((one) => one.signal === 'partition.log_end_offset').length).toBeGreaterThanOrEqual(2)
  })
})
