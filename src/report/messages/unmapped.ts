/** Alerts that no pipeline means, told once for all of them: which, and the line of the configuration that would map each. */
import type { Incident } from '../../incident/incident.ts'
import type { Alert } from '../../incident/trigger.ts'
import { suggestedMatchers } from '../../incident/unmapped.ts'
import { clean } from '../clean.ts'
import type { Item, Message } from '../message.ts'
import { shorten } from '../wrap.ts'
import type { Said } from './incident/home.ts'

/** More would not fit on a phone. */
const mostLines = 5
const longestName = 40

export function unmappedMessage(incident: Incident): Said {
  const alerts = incident.triggers.filter((one): one is Alert => one.kind === 'alert')
  const count = alerts.length + incident.triggersBefore
  const text =
    count === 1 && alerts[0] !== undefined
      ? `Alert ${name(alerts[0])} belongs to no pipeline, so nothing was looked at`
      : `${count} alerts belong to no pipeline, so nothing was looked at`
  const lines = items(alerts)
  const body: Message = [
    {
      kind: 'headline',
      tone: 'unsure',
      text,
      below:
        'To have them looked at, put a line below “alerts:” of the pipeline that they are about, and restart Headwater. Where there is no “alerts:” yet, name there as well what is taken without one: alerts with the name, query, group or topic of the pipeline.',
    },
    {
      kind: 'list',
      title: 'Lines that would do',
      mark: '·',
      tone: 'plain',
      items: lines.slice(0, mostLines),
      left: Math.max(0, lines.length - mostLines),
    },
  ]
  return { text, body }
}

/** Alerts that one line would map are one item; newest first. */
function items(alerts: readonly Alert[]): Item[] {
  const names = new Map<string, Set<string>>()
  for (const alert of alerts.toReversed()) {
    const line = matchersLine(alert)
    names.set(line, (names.get(line) ?? new Set()).add(name(alert)))
  }
  return [...names].map(([line, of]) => ({
    text: line,
    note: `for ${[...of].slice(0, 3).join(', ')}${of.size > 3 ? ` and ${of.size - 3} more` : ''}`,
  }))
}

/** To be copied, so never shortened. In YAML a quote inside single quotes is written twice. */
function matchersLine({ labels }: Alert): string {
  const matchers = suggestedMatchers(labels).map((one) => `'${one.replaceAll("'", "''")}'`)
  return matchers.length === 0 ? 'none of its labels can be written in a line' : `- matchers: [${matchers.join(', ')}]`
}

const name = (alert: Alert): string => shorten(clean(alert.name), longestName)
