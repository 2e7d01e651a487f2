/** An alert that no pipeline of the configuration means. It is kept like any input, so that somebody is told how to map it. */
import { matcherText } from './matcher.ts'

/** Stands in place of a pipeline's name; no pipeline can be called so. */
export const noPipeline = '(unmapped)'

export interface Unmapped {
  readonly kind: 'unmapped'
  /** The same for one alert on one day (UTC): it is told once a day, however often it comes. */
  readonly key: string
  readonly atMs: number
  readonly pipeline: typeof noPipeline
  readonly format: string
  readonly fingerprint: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly summary: string
  readonly url: string | null
}

/** Labels that say which pipeline an alert is about, most telling first. */
const telling = ['topic', 'consumergroup', 'consumer_group', 'group', 'query', 'application', 'app', 'job', 'service', 'namespace', 'team']

/** Matchers for the configuration that would map this alert: what it is about, and its name where nothing else is told. */
export function suggestedMatchers(labels: Readonly<Record<string, string>>): readonly string[] {
  const there = telling.filter((name) => Object.hasOwn(labels, name) && labels[name] !== '')
  const names = there.length > 0 ? there.slice(0, 2) : Object.hasOwn(labels, 'alertname') ? ['alertname'] : Object.keys(labels).slice(0, 1)
  return names.map((name) => matcherText(name, labels[name]!))
}
