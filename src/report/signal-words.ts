/** Readings by the name a person would use; what the table of signals does not know is shown as it calls itself. */
import { plainName } from '../incident/signal.ts'

export function signalWord(signal: string): string {
  return plainName(signal) ?? signal
}
