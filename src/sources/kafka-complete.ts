/** placeholder */
import type { Findings, Seen } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import type { Cluster } from './kafka-cluster.ts'
import { emptyFindings } from './kafka-findings.ts'

export async function lookAgainAt(_cluster: Cluster, _question: Question, _seen: Seen): Promise<Findings> {
  return emptyFindings('kafka')
}
