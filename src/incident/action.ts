/**
 * The closed list of what may ever be proposed, and to whom a matter goes that no change of ours would relieve. A cause wishes for one
 * of these; how far it may go, or whether it is refused, is decided where bounds and capacity are known.
 */

/** Each one knob. `rebalance_partitions`: spread what one partition takes; `consumer_parallelism`: one more step of tasks or members;
 * `intake_rate`: records a batch may take; `restore_slots`: as many task slots as before. */
export const changes = ['rebalance_partitions', 'consumer_parallelism', 'intake_rate', 'restore_slots'] as const

export type Change = (typeof changes)[number]

/** Who can do what no setting of the reader does. */
export const owners = ['producer', 'job', 'store', 'cluster'] as const

export type Owner = (typeof owners)[number]

/** What would relieve a cause: the smallest change, and why it and no other. A wish of the cause; what is proposed is worked out later. */
export type Relief =
  | { readonly action: Change; readonly why: string }
  | { readonly action: 'hand_over'; readonly to: Owner; readonly why: string }
  | { readonly action: 'nothing'; readonly why: string }
