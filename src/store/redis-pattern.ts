/** A text as a pattern of Redis that matches only itself. */
export function patternOf(text: string): string {
  return text.replace(/[\\*?[\]^-]/g, '\\$&')
}
