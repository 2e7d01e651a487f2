/**
 * What a running service sees in a test, by the name of its pipeline: "flow-…" tells one drill or another, "dim-…" tells one while Spark
 * is asked for real, "dark-…" asks real systems alone. Any other name tells of a hot partition.
 */
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { sources as realSources } from '../../src/sources/index.ts'
import { sparkUi } from '../../src/sources/spark-ui.ts'
import type { Source } from '../../src/workflow/ports.ts'
import type { DrillLooks } from './drill-source.ts'
import { drillSource } from './drill-source.ts'

const usual = 'hot_partition-live-3'
const inTurn = [usual, 'slow_sink-recorded', 'hot_partition-recorded', 'source_stall-live-3', usual] as const

export function drillSources(looks: DrillLooks): Source[] {
  const told = new Map([...new Set(inTurn)].map((drill) => [drill, drillSource(drill, looks)]))
  const toldOf = ({ name }: Pipeline): Source => {
    const number = Number(/^flow-(\d+)$/.exec(name)?.[1] ?? 0)
    return told.get(inTurn[number % inTurn.length]!)!
  }
  return [
    {
      name: 'recorded',
      applies: (pipeline) => !isDark(pipeline),
      absent: () => null,
      collect: (question) => toldOf(question.pipeline).collect(question),
      lookAgain: (question, seen) => toldOf(question.pipeline).lookAgain!(question, seen),
    },
    ...realSources.map((source) => ({
      ...source,
      applies: (pipeline: Pipeline) => source.applies(pipeline) && (isDark(pipeline) || (isDim(pipeline) && source === sparkUi)),
      absent: (pipeline: Pipeline) => (isDark(pipeline) ? source.absent(pipeline) : null),
    })),
  ]
}

const isDark = ({ name }: Pipeline): boolean => name.startsWith('dark-')
const isDim = ({ name }: Pipeline): boolean => name.startsWith('dim-')
