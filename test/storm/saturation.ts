/** What the processes of the service say of themselves while they run. */
import type { Service } from '../service/town.ts'

/** Lines of /metrics by name and labels, e.g. 'headwater_queue_jobs{lane="slow",state="waiting"}'; of a process that is away: none. */
export async function figuresOf(service: Service): Promise<ReadonlyMap<string, number>> {
  try {
    const { operations } = await service.serving()
    const text = await (await fetch(`${operations}/metrics`)).text()
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  } catch {
    return new Map()
  }
}

/** Diagnoses that wait for a place. */
export async function waitingDiagnoses(worker: Service): Promise<number> {
  const figures = await figuresOf(worker)
  return figures.get('headwater_queue_jobs{lane="slow",state="waiting"}') ?? 0
}

/** Diagnoses made by these processes since they started. */
export async function diagnosesDone(workers: readonly Service[]): Promise<number> {
  const all = await Promise.all(workers.map(figuresOf))
  return all.reduce((sum, figures) => sum + (figures.get('headwater_jobs_total{kind="diagnose",outcome="done"}') ?? 0), 0)
}
