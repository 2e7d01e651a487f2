/**
 * The closed list of changes that Headwater may propose. Nobody but an owner ever applies one. Each is one knob with its value before
 * and after; whatever is not in this list is a referral to somebody, in words.
 */

/** The method's three interventions. */
export type Lever = 'rebalance' | 'parallelism' | 'intake_rate'

interface KnobFacts {
  readonly lever: Lever
  readonly title: string
  /** What it is inside a sentence, in the singular: "… was set to 4". */
  readonly subject: string
  /** '' = the title says what is counted. */
  readonly unit: string
  /** Whether the query has to be restarted for it: its first batches then judge nothing. */
  readonly restarts: boolean
  /**
   * How easily it is taken back, 1 = most: an option that only divides the reader's own work, processes that come and go, how much is
   * taken at once (lag may grow by it), leaders of a cluster that others use too. Of two changes that help the lower one is proposed.
   */
  readonly rung: 1 | 2 | 3 | 4
}

/** One setting of one system; the name is the one its owner would search for. */
export const knobs = {
  /** Spark's Kafka source: at least so many tasks, so that a hot partition is split. */
  minPartitions: { lever: 'rebalance', title: 'minPartitions', subject: 'minPartitions', unit: 'tasks', restarts: true, rung: 1 },
  /** Spark 4's Kafka source: at most so many records a task. */
  maxRecordsPerPartition: {
    lever: 'rebalance',
    title: 'maxRecordsPerPartition',
    subject: 'maxRecordsPerPartition',
    unit: 'records',
    restarts: true,
    rung: 1,
  },
  /** Leaders of partitions, by a reassignment file that the owner runs. Its value is how many of them one broker leads. */
  partitionReassignment: {
    lever: 'rebalance',
    title: 'partition reassignment',
    subject: 'the number of leaders on the broker',
    unit: '',
    restarts: false,
    rung: 4,
  },
  /** Restarts the query where their number is fixed at its start; none where it is only the lost ones that come back. */
  executors: { lever: 'parallelism', title: 'executors', subject: 'the number of executors', unit: '', restarts: true, rung: 2 },
  consumers: {
    lever: 'parallelism',
    title: 'members of the group',
    subject: 'the number of members of the group',
    unit: '',
    restarts: false,
    rung: 2,
  },
  /** Records a micro-batch takes at most. */
  maxOffsetsPerTrigger: {
    lever: 'intake_rate',
    title: 'maxOffsetsPerTrigger',
    subject: 'maxOffsetsPerTrigger',
    unit: 'records',
    restarts: true,
    rung: 3,
  },
  triggerInterval: { lever: 'intake_rate', title: 'trigger interval', subject: 'the trigger interval', unit: 's', restarts: true, rung: 3 },
} as const satisfies Record<string, KnobFacts>

export type Knob = keyof typeof knobs

/** Where a value comes from: a system told it, it follows from what was seen, or the owners wrote it into the configuration. */
export type Provenance = 'read' | 'inferred' | 'declared'

export interface Setting {
  /** null = not set (the system's default). */
  readonly value: number | null
  readonly provenance: Provenance
  /** How it was found, in words with numbers, e.g. "5 batches in a row took exactly 10,000 records". */
  readonly how: string
}

export interface Action {
  readonly knob: Knob
  readonly from: Setting
  readonly to: number
  /** What it touches, e.g. "query orders-to-delta". */
  readonly scope: string
}
