/** How a change turned out, as what follows the name of the pipeline. */
import type { RecoveryOutcome } from '../incident/incident.ts'

export const recoveryWords: Readonly<Record<RecoveryOutcome, string>> = {
  recovered: 'recovered, as the change predicted',
  moved: 'the pressure moved to another place',
  no_effect: 'the change had no effect',
  worse: 'it became worse after the change',
  not_applied: 'the change is not to be seen in the pipeline',
  by_itself: 'recovered, but not by the change',
  cannot_tell: 'whether it recovered cannot be told',
}
