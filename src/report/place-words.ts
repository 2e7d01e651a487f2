/** The phases of a batch that causes name, by what is done in them. */
const phases: Readonly<Record<string, string>> = { sink: 'writing to the sink', processing: 'the work on records' }

/** Where it is, in words: "topic orders, partition 3, executor 2 on h2". */

import { partitionsNamed } from '../incident/format.ts'
import type { Place } from '../incident/place.ts'

export function placeInWords(place: Place): string | null {
  const parts: string[] = []
  if (place.topic !== null) parts.push(`topic ${place.topic}`)
  if (place.partitions.length > 0) parts.push(partitionsNamed(place.partitions))
  if (place.executor !== null) parts.push(`executor ${place.executor}`)
  if (place.host !== null) parts.push(`host ${place.host}`)
  if (place.broker !== null) parts.push(`broker ${place.broker}`)
  if (place.phase !== null) parts.push(Object.hasOwn(phases, place.phase) ? (phases[place.phase] as string) : `phase ${place.phase}`)
  return parts.length === 0 ? null : parts.join(', ')
}
