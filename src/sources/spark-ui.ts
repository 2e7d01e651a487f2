/** The Spark driver's UI as a source: batches, tasks and executors of a Structured Streaming query, read-only, over its REST API. */
import type { Findings, Seen } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Source } from '../workflow/ports.ts'
import { secondLook } from './spark-again.ts'
import type { Memory } from './spark-look.ts'
import { firstLook } from './spark-look.ts'
import { gap, SPARK_UI } from './spark-rest.ts'

/** What a second look remembers of the first, for as long as its findings are held by somebody. */
const memories = new WeakMap<Findings, Memory>()

export const sparkUi: Source = {
  name: SPARK_UI,
  applies: (pipeline) => pipeline.spark !== null,
  absent: (pipeline) =>
    pipeline.group !== null && pipeline.checkpoint === null
      ? null
      : gap('no Spark driver is configured, so batches, tasks and executors are not seen', 'spark: http://<driver host>:4040'),
  async collect(question) {
    const base = question.pipeline.spark
    if (base === null) return emptyFindings(SPARK_UI)
    const look = await guarded(
      () => firstLook(question, base),
      (findings) => ({ findings, memory: null }),
    )
    if (look.memory !== null) memories.set(look.findings, look.memory)
    return look.findings
  },
  async lookAgain(question, seen) {
    const base = question.pipeline.spark
    const memory = memoryOf(seen)
    // What the first look did not see has its gap already.
    if (base === null || memory === null) return emptyFindings(SPARK_UI)
    return guarded(
      () => secondLook(question, base, memory),
      (findings) => findings,
    )
  },
}

function memoryOf(seen: Seen): Memory | null {
  return seen.findings.map((findings) => memories.get(findings)).find((memory) => memory !== undefined) ?? null
}

/** The last net: a mistake of ours in reading one odd body must not cost the findings of the other sources. */
async function guarded<T>(look: () => Promise<T>, instead: (findings: Findings) => T): Promise<T> {
  try {
    return await look()
  } catch (cause) {
    return instead(
      emptyFindings(SPARK_UI, {
        gaps: [
          gap(`the answers of the Spark driver could not be put together (${cause instanceof Error ? cause.message : 'unknown reason'})`),
        ],
      }),
    )
  }
}
