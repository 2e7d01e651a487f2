/** An alert that no pipeline of the configuration means. It is kept like any input, so that somebody is told how to map it. */
import { clean } from './clean.ts'
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
const telling = [
  'pipeline',
  'topic',
  'consumergroup',
  'consumer_group',
  'group',
  'query',
  'query_name',
  'application',
  'application_name',
  'app_name',
]
/** Those that say only whose it is: a whole exporter may carry them, so the alert's own name stands beside them. */
const vague = ['app', 'job', 'service', 'namespace', 'team']
/** A longer value is no name that anybody would write into a file. */
const longest = 80

/**
 * Matchers for the configuration that would map this alert: what it is about, and its name where nothing else is told.
 * @returns each of them as it can be copied: a label that cannot be shown as it is has none; none = there is nothing to copy
 */
export function suggestedMatchers(labels: Readonly<Record<string, string>>): readonly string[] {
  const fit = (name: string): boolean => Object.hasOwn(labels, name) && canBeCopied(name) && canBeCopied(labels[name]!)
  const [about, whose] = [telling.filter(fit), vague.filter(fit)]
  const named = ['alertname'].filter(fit)
  const chosen =
    about.length > 0 ? [...about, ...whose].slice(0, 2) : named.length > 0 ? [...named, ...whose].slice(0, 3) : whose.slice(0, 2)
  const names = chosen.length > 0 ? chosen : Object.keys(labels).filter(fit).slice(0, 1)
  return names.map((name) => matcherText(name, labels[name]!))
}

function canBeCopied(text: string): boolean {
  return text !== '' && text.length <= longest && clean(text) === text
}
