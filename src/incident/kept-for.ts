/** What an incident still speaks of in bytes: bundles and pictures that must not end before it does. */
import type { Incident } from './incident.ts'

/** @returns store keys, each once */
export function keptFor({ verdict, proposals, recovery }: Incident): string[] {
  const live = proposals.filter(({ state }) => state === 'open' || state === 'approved' || state === 'applied')
  const keys = [
    verdict?.bundle,
    verdict?.chart,
    verdict?.wholeChart,
    ...live.map(({ bundle }) => bundle),
    ...(recovery?.looks ?? []).map(({ bundle }) => bundle),
    recovery?.chart?.blob,
  ]
  return [...new Set(keys)].filter((key) => key !== undefined && key !== null)
}
