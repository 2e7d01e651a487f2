/** What a diagnosis cost, for --verbose: seconds per source, requests and bytes per system looked at. */
import type { Look } from '../workflow/look.ts'

export function effortLines(looks: readonly Look[], totalSeconds: number): string[] {
  const perLook = looks.map((look) => {
    const note = look.late ? '  (stopped at its deadline)' : ''
    return `  ${look.findings.source.padEnd(12)} look ${look.turn}  ${look.seconds.toFixed(2).padStart(6)} s${note}`
  })
  const traffic = new Map<string, { requests: number; bytes: number }>()
  for (const { to, requests, bytes } of looks.flatMap((look) => look.findings.traffic)) {
    const sum = traffic.get(to) ?? { requests: 0, bytes: 0 }
    traffic.set(to, { requests: sum.requests + requests, bytes: sum.bytes + bytes })
  }
  const rows = [...traffic].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const widest = Math.max(0, ...rows.map(([to]) => to.length))
  const perTarget = rows.map(([to, { requests, bytes }]) => {
    return `  ${to.padEnd(widest)}  ${String(requests).padStart(5)} ${requests === 1 ? 'request ' : 'requests'}  ${(bytes / 1024).toFixed(1).padStart(8)} KiB`
  })
  return [`looked for ${totalSeconds.toFixed(2)} s:`, ...perLook, ...(perTarget.length === 0 ? [] : ['asked of:', ...perTarget])]
}
