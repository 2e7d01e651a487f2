/** A word as a POSIX shell takes it: names, paths and addresses are not ours and may hold anything. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
