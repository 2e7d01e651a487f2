/** The times by which an incident lives. One place, so that words and tests speak of the same numbers. Milliseconds. */
const minute = 60_000

export const incidentRules = {
  /** A question that joins later than this after the newest diagnosis was asked for gets a new one. */
  freshForMs: minute,
  /** The same alert, still firing, brings a new diagnosis at most this often. */
  repeatEveryMs: 10 * minute,
  /** A diagnosis that has brought nothing for this long counts as failed: its job may be lost, and nobody is to wait for it for ever. */
  overdueMs: 10 * minute,
  /** All alerts resolved and nothing new for this long: closed. */
  quietMs: 15 * minute,
  /** After a recovery an alert that began before it may fire on for this long, until its rule sees what has become of the lag. */
  settlesMs: 30 * minute,
  /** What was applied in an incident before is known to the next one for this long. */
  triedForMs: 24 * 60 * minute,
  /** Nothing at all for this long: closed. */
  forgottenMs: 24 * 60 * minute,
  /** An alert's message waits for the verdict, but not longer. */
  alertPostMs: 8_000,
  /** Alerts that no pipeline means are told together for this long, from the first on. */
  unmappedTogetherMs: 60 * minute,
  /** What is approved on older evidence than this is looked at again first. */
  evidenceHoldsMs: 10 * minute,
  /** An unanswered proposal is void after this long: the world has moved. */
  proposalExpiresMs: 60 * minute,
  /** An approval holds this long: until then its change is waited for, later its evidence is too old to be applied. */
  approvalHoldsMs: 4 * 60 * minute,
} as const
