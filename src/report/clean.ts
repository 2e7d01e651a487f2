/** What goes into XML: text without anything that could be obeyed, and with what XML reserves written as entities. */
import { clean } from '../incident/clean.ts'

export { clean, visible } from '../incident/clean.ts'

/** The same, with what XML reserves written as entities. */
export function xml(text: string): string {
  return clean(text).replace(/[&<>"']/g, (mark) => entities[mark] as string)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
