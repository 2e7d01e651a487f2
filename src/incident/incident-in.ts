/**
 * Slots of messages and keys of jobs begin with the id of the incident they belong to: for the log, which names it on every line.
 * @returns nothing where it belongs to none, e.g. an answer for one person
 */
export function incidentIn(key: string): { incident?: string } {
  const first = key.split('/', 1)[0]!
  return first.startsWith('i-') ? { incident: first } : {}
}
