/** A secret out of the environment, or what is wrong with it there. Its value is never said. */
import type { Problem } from './pipeline-from.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Fewer characters than this can be guessed by trying; for secrets that this program's own senders use. */
export const leastSecretLength = 16

/**
 * @param path of the line that names the variable
 * @param least characters it has to have
 * @returns the secret; '' when there is a problem, which is then added to the list
 */
export function takeSecret(variable: string, path: readonly string[], env: Environment, problems: Problem[], least = 1): string {
  const secret = env[variable] ?? ''
  if (secret.length >= least) return secret
  if (secret === '') {
    problems.push({ path, what: `environment variable ${variable} is not set`, right: `export ${variable} before calling headwater` })
  } else {
    const what = `environment variable ${variable} holds fewer than ${least} characters`
    problems.push({ path, what, right: 'make a longer one, e.g. with openssl rand -hex 32' })
  }
  return ''
}
