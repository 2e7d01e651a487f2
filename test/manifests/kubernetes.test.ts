/** kubernetes.yaml: as Kubernetes 1.37 would read it, and what its parts promise each other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { missingForService } from '../../src/config/service.ts'
import { misspellings } from './misspell.ts'
import { filled, manifests, variablesOf } from './read-manifest.ts'

interface Labelled {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Deployment extends Labelled {
  readonly spec: {
    readonly selector: { readonly matchLabels: Record<string, string> }
    readonly template: {
      readonly metadata: { readonly labels: Record<string, string> }
      readonly spec: {
        readonly serviceAccountName: string
        readonly terminationGracePeriodSeconds: number
        readonly securityContext: { readonly runAsNonRoot: boolean }
        readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
        readonly containers: readonly {
          readonly args: readonly string[]
          readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[]
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
          readonly startupProbe: Probe
          readonly livenessProbe: Probe
          readonly readinessProbe: Probe
          readonly resources: { readonly requests: Record<string, string>; readonly limits: Record<string, string> }
          readonly securityContext: { readonly readOnlyRootFilesystem: boolean; readonly allowPrivilegeEscalation: boolean }
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
        }[]
      }
    }
  }
}

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/schemas/kubernetes-1.37.json'), 'utf8')) as {
  readonly kinds: Readonly<Record<string, object>>
  readonly $defs: object
}
const { $defs, kinds } = schema
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const checks = Object.fromEntries(Object.entries(kinds).map(([kind, one]) => [kind, ajv.compile({ ...one, $defs })]))

const all = manifests<Labelled>('kubernetes.yaml')
const nameOf = ({ apiVersion, kind }: Partial<Labelled>) => `${apiVersion} ${kind}`
const ofKind = <T extends Labelled>(kind: string): T[] => all.filter((one) => one.kind === kind) as T[]

test('Kubernetes knows every kind and every key in it', () => {
  expect(all.map((one) => `${one.kind} ${one.metadata.name}`)).toEqual([
    'ConfigMap headwater',
    'ServiceAccount headwater',
    'Deployment headwater-app',
    'Deployment headwater-worker',
    'Service headwater',
    'PodDisruptionBudget headwater-app',
    'NetworkPolicy headwater-in',
    'NetworkPolicy headwater-app-out',
    'NetworkPolicy headwater-worker-out',
  ])
  for (const one of all) {
    const check = checks[nameOf(one)]
    expect([one.metadata.name, check?.(one), check?.errors ?? null]).toEqual([one.metadata.name, true, null])
  }
})

test('a misspelt key is found, except where any name may stand', () => {
  const free = /\.(labels|matchLabels|requests|limits)\.|^data\.|^spec\.selector\.app\./
  const unseen = all.flatMap((one) =>
    misspellings(one)
      .filter(({ path, value }) => !free.test(path) && checks[nameOf(value as Labelled)]?.(value) === true)
      .map(({ path }) => `${one.kind} ${path}`),
  )
  expect(unseen).toEqual([])
})

const config = (ofKind('ConfigMap')[0] as unknown as { data: Record<string, string> }).data['headwater.yaml']!
const deployments = ofKind<Deployment>('Deployment')

test('its configuration is one that serve takes', () => {
  const reading = readConfig(config, { env: filled(variablesOf(config)), folder: '/etc/headwater' })
  expect([...reading.mistakes, ...missingForService(reading)]).toEqual([])
  expect(reading.config.webhooks).toMatchObject({ listen: { host: '0.0.0.0', port: 8080 } })
})

describe.each(deployments.map((one) => [one.metadata.name, one] as const))('%s', (_, { spec }) => {
  const { metadata, spec: pod } = spec.template
  const container = pod.containers[0]!

  test('is found by its own selector, by its budget or service, and by a policy for each direction', () => {
    const matches = (selector: Record<string, string>) => Object.entries(selector).every(([key, value]) => metadata.labels[key] === value)
    expect(matches(spec.selector.matchLabels)).toBe(true)
    type Policy = Labelled & { spec: { podSelector: { matchLabels: Record<string, string> }; policyTypes: string[] } }
    const policies = ofKind<Policy>('NetworkPolicy').filter((one) => matches(one.spec.podSelector.matchLabels))
    expect(policies.flatMap((one) => one.spec.policyTypes).sort()).toEqual(['Egress', 'Ingress'])
    const services = ofKind<Labelled & { spec: { selector: Record<string, string> } }>('Service')
    expect(services.filter((one) => matches(one.spec.selector))).toHaveLength(container.args.includes('app') ? 1 : 0)
  })

  test('has more time to end than it needs, no right that it does not need, and a bound on its memory', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10)
    expect(pod.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory'])
    expect(container.resources.limits.memory).toMatch(/^\d+(Mi|Gi)$/)
  })

  test('is asked where it answers, and mounts what is there', () => {
    const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
    for (const { httpGet } of probes) expect([ports.get(httpGet.port), /^\/(healthz|readyz)$/.test(httpGet.path)]).toEqual([9464, true])
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(pod.volumes.map(({ name }) => name).sort())
    expect(pod.volumes.find(({ name }) => name === 'config')?.configMap?.name).toBe('headwater')
    expect(container.volumeMounts.find(({ name }) => name === 'config')?.mountPath).toBe('/etc/headwater')
    expect([container.envFrom[0]?.secretRef.name, pod.serviceAccountName]).toEqual(['headwater', 'headwater'])
  })
})

test('what a policy lets through is a port that a container has, or one that is reached', () => {
  type Policy = Labelled & {
    spec: { ingress?: { ports: { port: string | number }[] }[]; egress?: { ports: { port: string | number }[] }[] }
  }
  const policies = ofKind<Policy>('NetworkPolicy')
  const inward = policies.flatMap((one) => one.spec.ingress ?? []).flatMap((one) => one.ports.map(({ port }) => port))
  const named = deployments.flatMap((one) => one.spec.template.spec.containers.flatMap(({ ports }) => ports.map(({ name }) => name)))
  expect(inward.filter((port) => !named.includes(String(port)))).toEqual([])
})
