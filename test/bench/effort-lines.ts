/** What --verbose says of a diagnosis on standard error, as figures. One text per run; sorted by name. */

export interface Effort {
  readonly requests: number[]
  readonly kib: number[]
}

/** "  kafka        look 1    0.44 s": seconds by source and look. */
export function perSource(texts: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const text of texts) {
    for (const [, source = '', turn = '', seconds = ''] of text.matchAll(/^ {2}(\S+) +look (\d) +([\d.]+) s/gm)) {
      const name = `${source}, look ${turn}`
      found.set(name, [...(found.get(name) ?? []), Number(seconds)])
    }
  }
  return sorted(found)
}

/** "  driver 127.0.0.1:4040    27 requests     131.4 KiB": by target; folders by their last name. */
export function perTarget(texts: readonly string[]): Map<string, Effort> {
  const found = new Map<string, Effort>()
  for (const text of texts) {
    for (const [, target = '', requests = '', kib = ''] of text.matchAll(/^ {2}(\S.*?) +(\d+) requests +([\d.]+) KiB/gm)) {
      const name = target.replace(/\/\S*\//, '…/')
      const sums = found.get(name) ?? { requests: [], kib: [] }
      found.set(name, sums)
      sums.requests.push(Number(requests))
      sums.kib.push(Number(kib))
    }
  }
  return sorted(found)
}

const sorted = <T>(found: ReadonlyMap<string, T>): Map<string, T> => new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
