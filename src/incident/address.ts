/**
 * An address as it may be shown and kept: without a password. What stands before "@" alone stays where it is a place
 * (abfss://container@account), and goes with its password where it is a login.
 */
export function withoutLogin(address: string): string {
  return address.replace(/^([a-z][\w+.-]*:\/\/)[^/@:]*:[^/]*@/i, '$1')
}
